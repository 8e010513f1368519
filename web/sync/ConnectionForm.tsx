import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { crmConnectionRoutes, defaultApiUrl, NewCrmConnection } from '#contract/crmConnections.ts'
import { callForChange } from '#web/lib/client.ts'
import { createSubmitHandler, getFieldErrors, resetAfterSave, showFailure, useUnsavedWork } from '#web/lib/forms.ts'
import { toastChange } from '#web/lib/undo.ts'
import { PasswordField } from '#web/ui/PasswordField.tsx'
import { connectionsQuery } from './queries.ts'
import settings from '#web/ui/settings.module.css'
import classes from './CrmPage.module.css'

/**
 * Adds a connection. The server tests the address and the key first; an error is shown at its field. `isFirst`: there is no connection yet,
 * so adding one is the primary action of the page.
 */
export function ConnectionForm({ isFirst }: { isFirst: boolean }) {
  const queries = useQueryClient()
  const form = useForm({
    initialValues: { api_url: defaultApiUrl, api_key: '' },
    validate: (values) => getFieldErrors(NewCrmConnection, values),
  })
  const add = useMutation({
    mutationFn: (body: typeof form.values) => callForChange(crmConnectionRoutes.create, { body }),
    onError: (error) => showFailure(form, error),
    onSuccess: ({ changeId, response }, sent) => {
      resetAfterSave(form, sent)
      toastChange('CRM connection added', changeId, new URL(response.api_url).host)
    },
    onSettled: () => queries.invalidateQueries(connectionsQuery),
  })
  useUnsavedWork(form.isDirty())
  return (
    <form onSubmit={createSubmitHandler(form, (values) => add.mutate(values))} noValidate>
      <div className={`${settings['fields']} ${classes['connectionFields']}`}>
        <TextInput
          label="API URL"
          type="url"
          autoComplete="off"
          spellCheck={false}
          description={!form.errors['api_url'] && 'The address ends in /v3.1. Insightly leads to the server of your account.'}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.getInputProps('api_url')}
        />
        <PasswordField
          label="API Key"
          autoComplete="off"
          hint="Stored encrypted, never shown again, and only sent to Insightly."
          {...form.getInputProps('api_key')}
        />
      </div>
      <div className={settings['actions']}>
        <Button type="submit" variant={isFirst ? 'filled' : 'default'} loading={add.isPending}>
          Add connection
        </Button>
      </div>
    </form>
  )
}
