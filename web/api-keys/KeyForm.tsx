import { useEffect, useRef } from 'react'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useRouterState } from '@tanstack/react-router'
import type { Scope } from '#contract/actors.ts'
import { NewApiKey, scopeTexts } from '#contract/apiKeys.ts'
import { createSubmitHandler, getFieldErrors, resetAfterSave, showFailure } from '#web/lib/forms.ts'
import { ProblemError } from '#web/lib/client.ts'
import { toastError } from '#web/lib/toasts.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { useCreateKey } from './queries.ts'
import settings from '#web/ui/settings.module.css'
import classes from './ApiKeysPage.module.css'

const dayMs = 24 * 60 * 60 * 1000
/** The days after which a key stops working; the first choice is never. */
const lifetimes = [
  { value: '', label: 'Never' },
  { value: '30', label: 'After 30 days' },
  { value: '90', label: 'After 90 days' },
  { value: '365', label: 'After a year' },
]
const shownScopes = ['leads', 'read', 'write'] as const

type Values = { name: string; scopes: Scope[]; days: string }

const toNewKey = ({ name, scopes, days }: Values) => ({
  name,
  scopes,
  expires_at: days === '' ? null : new Date(Date.now() + Number(days) * dayMs).toISOString(),
})

/** Creates an API key. `isPrimary`: creating one is the primary action of the page. */
export function KeyForm({ isPrimary }: { isPrimary: boolean }) {
  const isOpenedToCreate = useRouterState({ select: ({ location }) => location.hash === 'create' })
  const nameInput = useRef<HTMLInputElement>(null)
  // the palette can open this address while the page is already shown
  useEffect(() => {
    if (isOpenedToCreate) nameInput.current?.focus()
  }, [isOpenedToCreate])
  const form = useForm<Values>({
    initialValues: { name: '', scopes: ['leads'], days: '' },
    validate: (values) => getFieldErrors(NewApiKey, toNewKey(values)),
  })
  const create = useCreateKey((error) => {
    if (error instanceof ProblemError && error.problem.fields) showFailure(form, error)
    else toastError(error, 'Failed to create API key')
  })
  const submit = (values: Values): void => create.mutate(toNewKey(values), { onSuccess: () => resetAfterSave(form, values) })
  return (
    <form onSubmit={createSubmitHandler(form, submit)} noValidate>
      <div className={`${settings['fields']} ${classes['keyFields']}`}>
        <TextInput
          ref={nameInput}
          data-key-name
          data-autofocus={isOpenedToCreate || undefined}
          label="Name"
          placeholder="Website contact form"
          autoComplete="off"
          maxLength={100}
          {...form.getInputProps('name')}
        />
        <NativeSelect label="Expires" data={lifetimes} {...form.getInputProps('days')} />
        <fieldset className={classes['scopes']}>
          <legend>What it may do</legend>
          {shownScopes.map((scope) => (
            <div key={scope}>
              <label className={classes['scope']}>
                <Checkbox
                  label={scopeTexts[scope].label}
                  checked={form.values.scopes.includes(scope)}
                  onToggle={() => form.setFieldValue('scopes', toggle(form.values.scopes, scope))}
                />
                <span>{scopeTexts[scope].label}</span>
              </label>
              <p className={classes['scopeText']}>{scopeTexts[scope].description}</p>
            </div>
          ))}
          {form.errors['scopes'] && (
            <p className={settings['error']} role="alert">
              {form.errors['scopes']}
            </p>
          )}
        </fieldset>
      </div>
      <div className={settings['actions']}>
        <Button type="submit" variant={isPrimary ? 'filled' : 'default'} loading={create.isPending}>
          Create API key
        </Button>
      </div>
    </form>
  )
}

/** Adds or removes a scope. The scopes stay in the order in which they are shown. */
const toggle = (selected: readonly Scope[], toggled: Scope): Scope[] =>
  shownScopes.filter((scope) => (scope === toggled ? !selected.includes(scope) : selected.includes(scope)))
