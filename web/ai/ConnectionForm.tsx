import '#web/ui/choices.css'
import { useEffect, type FocusEvent, type ReactNode } from 'react'
import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { aiRoutes, type AiConnection, type ConnectionToTest } from '#contract/ai.ts'
import { aiQuery } from '#web/lib/aiState.ts'
import { call, ProblemError } from '#web/lib/client.ts'
import { createSubmitHandler, resetAfterSave, showFailure, useUnsavedWork } from '#web/lib/forms.ts'
import { describeError } from '#web/lib/toasts.ts'
import { toastWithoutUndo } from '#web/lib/withoutUndo.ts'
import { PasswordField } from '#web/ui/PasswordField.tsx'
import { originOf, toNewConnection, toConnectionToTest, validateConnection, valuesOf, type ConnectionValues } from './connectionValues.ts'
import { ConnectionProblem } from './ConnectionProblem.tsx'
import { LocalServers } from './LocalServers.tsx'
import { ModelField } from './ModelField.tsx'
import { useModels } from './useModels.ts'
import grid from '#web/ui/fieldGrid.module.css'
import classes from './AiSettings.module.css'

type ConnectionFormProps = {
  connection: AiConnection
  isTesting: boolean
  /** Tests the values of the form or the saved connection. */
  onTest: (connection: ConnectionToTest) => void
  /** Called when the user changes a field, because the result of a test is then out of date. */
  onChange: () => void
  otherButtons: ReactNode
}

/** Edits the connection of the account, and tests it after it is saved. */
export function ConnectionForm({ connection, isTesting, onTest, onChange, otherButtons }: ConnectionFormProps) {
  const queries = useQueryClient()
  const form = useForm({
    initialValues: valuesOf(connection),
    validate: validateConnection,
    onValuesChange: (values, previous) => (areEqual(values, previous) ? undefined : onChange()),
  })
  const { base_url, key } = form.values
  const models = useModels({ base_url, key })
  const save = useMutation({
    mutationFn: (values: typeof form.values) => call(aiRoutes.save, { body: toNewConnection(values) }),
    onError: (error) => showFailure(form, error),
    onSuccess: (saved, sent) => {
      queries.setQueryData(aiQuery.queryKey, saved)
      form.setInitialValues(valuesOf(saved))
      resetAfterSave(form, sent)
      toastWithoutUndo('AI connection saved')
      onTest(toConnectionToTest(valuesOf(saved)))
    },
  })
  const isDirty = form.isDirty()
  useUnsavedWork(isDirty)
  useEffect(() => {
    if (isDirty) return // keeps the typed values when the connection was changed in another tab
    form.setInitialValues(valuesOf(connection))
    form.reset()
    // oxlint-disable-next-line react/exhaustive-deps -- only a change of the stored connection matters; `form` is new on every render
  }, [connection])
  const loadModels = (): void => models.load(form.getValues())
  /** Does nothing when a button gets the focus, because a message above the button would move it away from the click. */
  const loadModelsAfterField = ({ relatedTarget }: FocusEvent): void => {
    if (!(relatedTarget instanceof HTMLButtonElement)) loadModels()
  }
  const chooseLocalServer = (server: { base_url: string; models: string[] }): void => {
    form.setValues({ base_url: server.base_url, key: '', model: server.models.length === 1 ? server.models[0] : '' })
    models.set(server)
    form.getInputNode('model')?.focus()
  }
  const test = createSubmitHandler(form, (values) => onTest(toConnectionToTest(values)))
  return (
    <form onSubmit={createSubmitHandler(form, (values) => save.mutate(values))} noValidate>
      {base_url === '' && <LocalServers onChoose={chooseLocalServer} />}
      <div className={classes['fields']}>
        <TextInput
          className={grid['wide']}
          label="Address"
          type="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://ai.example/v1"
          description={!form.errors['base_url'] && 'Of any service that speaks the API of OpenAI. It usually ends in /v1.'}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.getInputProps('base_url')}
          onBlur={loadModelsAfterField}
        />
        <PasswordField
          className={grid['wide'] ?? ''}
          label="Key"
          autoComplete="off"
          {...describeKeyField(connection, base_url)}
          {...form.getInputProps('key')}
          onBlur={loadModelsAfterField}
        />
        <ModelField label="Model" models={models.names} loading={models.isLoading} onOpen={loadModels} {...form.getInputProps('model')} />
        <ModelField
          label="Model for pictures (optional)"
          models={models.names}
          onOpen={loadModels}
          {...form.getInputProps('image_model')}
        />
        {models.problem && (
          <p className={`${grid['hint']} ${classes['belowFields']}`}>
            The models could not be listed: {models.problem} You can type the name.
          </p>
        )}
        <TextInput label="Price of input (optional)" inputMode="decimal" autoComplete="off" {...form.getInputProps('input_price')} />
        <TextInput label="Price of output (optional)" inputMode="decimal" autoComplete="off" {...form.getInputProps('output_price')} />
        <p className={`${grid['hint']} ${classes['belowFields']}`}>
          Prices in US dollars per million tokens, so that Foyer can show what answers cost.
        </p>
      </div>
      <div className={classes['actions']}>
        <Button type="submit" loading={save.isPending} disabled={connection.source === 'own' && !isDirty}>
          {connection.source === 'own' ? 'Save connection' : 'Connect'}
        </Button>
        <Button variant="default" loading={isTesting} onClick={() => test()}>
          Test
        </Button>
        {otherButtons}
      </div>
      {save.error && !hasFieldErrors(save.error) && (
        <ConnectionProblem title="The connection was not saved">{describeError(save.error)}</ConnectionProblem>
      )}
    </form>
  )
}

const hasFieldErrors = (error: Error): boolean => error instanceof ProblemError && error.problem.fields !== undefined

const areEqual = (one: ConnectionValues, other: ConnectionValues): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Returns the placeholder and the hint of the field, which say whether a stored key will be used. */
function describeKeyField({ source, key_state, key_end, base_url }: AiConnection, typedAddress: string) {
  const isSameOrigin = source === 'own' && originOf(typedAddress) === originOf(base_url)
  if (key_state === 'stored' && isSameOrigin)
    return { placeholder: key_end === '' ? 'Stored' : `Stored, ends in ${key_end}`, hint: 'Leave it empty to keep the stored key.' }
  if (key_state === 'stored' && originOf(typedAddress) !== undefined)
    return { hint: `The stored key is only sent to ${new URL(base_url).host}. Enter the key for this address.` }
  return { hint: 'Stored encrypted, never shown again, and only sent to this address. Servers on your own machine usually need none.' }
}
