import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { everyEvent, NewWebhookEndpoint, webhookEvents } from '#contract/webhooks.ts'
import { createSubmitHandler, getFieldErrors, resetAfterSave, showFailure, useUnsavedWork } from '#web/lib/forms.ts'
import { CheckboxList } from '#web/ui/CheckboxList.tsx'
import { useAddEndpoint, type NewSecret } from './queries.ts'
import settings from '#web/ui/settings.module.css'

const choices = webhookEvents.map((event) => ({ value: event, label: event }))

type Values = { url: string; description: string; events: string[] }

/**
 * Adds an endpoint. `isPrimary`: adding one is the primary action of the page. `onAdded` gets the address and the secret of the new
 * endpoint.
 */
export function EndpointForm({ isPrimary, onAdded }: { isPrimary: boolean; onAdded: (added: NewSecret) => void }) {
  const form = useForm<Values>({
    initialValues: { url: '', description: '', events: [everyEvent] },
    validate: (values) => getFieldErrors(NewWebhookEndpoint, values),
  })
  const add = useAddEndpoint((error) => showFailure(form, error), onAdded)
  const submit = (values: Values): void => add.mutate(values, { onSuccess: () => resetAfterSave(form, values) })
  useUnsavedWork(form.isDirty())
  const isChoosing = !form.values.events.includes(everyEvent)
  return (
    <form onSubmit={createSubmitHandler(form, submit)} noValidate>
      <div className={settings['fields']}>
        <TextInput
          label="Address"
          type="url"
          placeholder="https://example.com/webhook"
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('url')}
        />
        <TextInput label="Description" placeholder="Newsletter" autoComplete="off" {...form.getInputProps('description')} />
        <NativeSelect
          label="Events"
          data={[
            { value: 'all', label: 'All events' },
            { value: 'chosen', label: 'Only these events' },
          ]}
          value={isChoosing ? 'chosen' : 'all'}
          onChange={({ currentTarget }) => form.setFieldValue('events', currentTarget.value === 'chosen' ? [] : [everyEvent])}
        />
        {isChoosing && (
          <CheckboxList
            label="Events"
            choices={choices}
            selected={form.values.events}
            onChange={(events) => form.setFieldValue('events', events)}
          />
        )}
        {form.errors['events'] && (
          <p className={settings['error']} role="alert">
            {form.errors['events']}
          </p>
        )}
      </div>
      <div className={settings['actions']}>
        <Button type="submit" variant={isPrimary ? 'filled' : 'default'} loading={add.isPending}>
          Add endpoint
        </Button>
      </div>
    </form>
  )
}
