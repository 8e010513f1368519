import '#web/ui/dialogs.css'
import { Button, Modal, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { maxOtherCalendars, NewOtherCalendar, type OtherCalendar } from '#contract/otherCalendars.ts'
import { formatCount } from '#web/lib/format.ts'
import { createSubmitHandler, getFieldErrors, resetAfterSave, showFailure, useUnsavedWork } from '#web/lib/forms.ts'
import { describeError } from '#web/lib/toasts.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { ListSkeleton } from '#web/ui/ListSkeleton.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import classes from './calendars.module.css'
import { isReadPending, otherCalendarsQuery, useAddCalendar, useCalendarActions } from './otherCalendarQueries.ts'

type OtherCalendarsDialogProps = { onClose: () => void; opener: RefObject<HTMLElement | null> }

/** The calendars of other programs, whose busy times visitors cannot book, and a form that adds one. */
export function OtherCalendarsDialog({ onClose, opener }: OtherCalendarsDialogProps) {
  useReturnFocus(opener)
  const calendars = useQuery(otherCalendarsQuery)
  const rows = calendars.data?.rows
  return (
    <Modal opened onClose={onClose} title="Other calendars" size={520}>
      <div className={classes['part']}>
        <p>
          Visitors cannot book times at which you are busy in these calendars. Foyer reads them every 15 minutes, and keeps only when you
          are busy, no titles or guests.
        </p>
        {calendars.isPending && <ListSkeleton rows={2} height={56} columns={[]} />}
        {calendars.isError && !rows && (
          <FailedState
            title="The calendars could not be loaded"
            reason={describeError(calendars.error)}
            onRetry={() => void calendars.refetch()}
            isRetrying={calendars.isFetching}
          />
        )}
        {rows && rows.length > 0 && (
          <ul className={classes['calendars']}>
            {rows.map((calendar) => (
              <CalendarRow key={calendar.id} calendar={calendar} />
            ))}
          </ul>
        )}
        {rows && rows.length < maxOtherCalendars && <CalendarForm />}
      </div>
    </Modal>
  )
}

function CalendarRow({ calendar }: { calendar: OtherCalendar }) {
  const { name, host, problem, last_read_at, busy_times, unreadable_events } = calendar
  const { read, remove } = useCalendarActions(calendar)
  const isReading = read.isPending || isReadPending(calendar)
  return (
    <li className={classes['calendar']}>
      <div className={classes['what']}>
        <h3 title={name}>{name}</h3>
        <p className={classes['facts']}>
          <span>{host}</span>
          {last_read_at !== null && <span>{formatCount(busy_times, 'busy time')}</span>}
          {unreadable_events > 0 && <span>{formatCount(unreadable_events, 'event')} could not be read</span>}
          {last_read_at !== null && problem === null && (
            <span>
              read <RelativeTime at={last_read_at} />
            </span>
          )}
          {last_read_at === null && problem === null && <span>is being read</span>}
        </p>
      </div>
      <Button variant="subtle" color="red" onClick={() => remove.mutate()} loading={remove.isPending} aria-label={`Remove ${name}`}>
        Remove
      </Button>
      {problem !== null && (
        <div className={classes['problem']}>
          <IconAlertTriangle size={18} stroke={1.7} aria-hidden />
          <p>
            {problem}{' '}
            {last_read_at === null ? (
              'It was never read.'
            ) : (
              <>
                Last read <RelativeTime at={last_read_at} />; the busy times of then still apply.
              </>
            )}
          </p>
          <Button variant="default" onClick={() => read.mutate()} loading={isReading} aria-label={`Try again to read ${name}`}>
            Try again
          </Button>
        </div>
      )}
    </li>
  )
}

function CalendarForm() {
  const form = useForm({ initialValues: { name: '', address: '' }, validate: (values) => getFieldErrors(NewOtherCalendar, values) })
  const add = useAddCalendar((error) => showFailure(form, error))
  const submit = (values: typeof form.values): void => add.mutate(values, { onSuccess: () => resetAfterSave(form, values) })
  useUnsavedWork(form.isDirty())
  return (
    <form className={classes['form']} onSubmit={createSubmitHandler(form, submit)} noValidate>
      <TextInput label="Name" placeholder="Family" autoComplete="off" {...form.getInputProps('name')} />
      <TextInput
        label="Secret address"
        type="url"
        placeholder="https://example.com/calendar.ics"
        autoComplete="off"
        spellCheck={false}
        description="In Google Calendar: Settings, your calendar, Secret address in iCal format. In Outlook: Settings, Shared calendars, Publish a calendar, ICS. Stored encrypted, and never shown again."
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        {...form.getInputProps('address')}
      />
      <div className={classes['actions']}>
        <Button type="submit" loading={add.isPending}>
          Add calendar
        </Button>
      </div>
    </form>
  )
}
