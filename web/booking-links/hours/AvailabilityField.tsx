import type { Availability } from '#contract/bookingLinks.ts'
import { useSession } from '#web/lib/session.ts'
import { toText } from '#web/records/form/fields.ts'
import { RecordField } from '#web/records/form/RecordField.tsx'
import type { FieldProps } from '#web/records/form/RecordInputs.tsx'
import { ChoiceSwitch } from '#web/ui/ChoiceSwitch.tsx'
import { describeAvailability, initialAvailability, readAvailability } from './availabilityText.ts'
import { DateHours } from './DateHours.tsx'
import { DaysOff } from './DaysOff.tsx'
import { WeeklyHours } from './WeeklyHours.tsx'
import classes from './hours.module.css'

/** The hours in which visitors can book: the standard hours, or hours that the user sets. The value of the field is JSON. */
export function AvailabilityField({ editor, field }: FieldProps) {
  const { form } = editor
  const { timezone } = useSession().profile
  const availability = readAvailability(toText(form.getValues()[field]) || null)
  const change = (next: Availability | null): void => form.setFieldValue(field, next && JSON.stringify(next))
  const error = form.errors[field]
  return (
    <RecordField editor={editor} field={field} renderValue={(text) => describeAvailability(readAvailability(text))}>
      {/* focused when the hours are refused */}
      <div className={classes['field']} tabIndex={-1} data-path={field}>
        <ChoiceSwitch
          label="Hours"
          choices={[
            { value: 'default', label: 'Standard hours' },
            { value: 'own', label: 'My hours' },
          ]}
          value={availability ? 'own' : 'default'}
          onChange={(choice) => change(choice === 'own' ? (availability ?? initialAvailability) : null)}
        />
        <p className={classes['note']}>{availability ? `Times in ${timezone.replaceAll('_', ' ')}` : `${describeAvailability(null)}.`}</p>
        {availability && (
          <>
            <WeeklyHours value={availability.weekly} onChange={(weekly) => change({ ...availability, weekly })} />
            <DaysOff value={availability.days_off} onChange={(days_off) => change({ ...availability, days_off })} />
            <DateHours value={availability.dates} onChange={(dates) => change({ ...availability, dates })} />
          </>
        )}
        {error && (
          <p className={classes['error']} role="alert">
            {error}
          </p>
        )}
      </div>
    </RecordField>
  )
}
