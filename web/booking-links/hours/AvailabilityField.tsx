import type { Availability } from '#contract/bookingLinks.ts'
import { useSession } from '#web/lib/session.ts'
import { toText } from '#web/records/form/fields.ts'
import { RecordField } from '#web/records/form/RecordField.tsx'
import type { FieldProps } from '#web/records/form/RecordInputs.tsx'
import { ChoiceSwitch } from '#web/ui/ChoiceSwitch.tsx'
import linkClasses from '../bookingLinks.module.css'
import { useInvalidInputFocus } from '../useInvalidInputFocus.ts'
import { describeAvailability, findAvailabilityErrors, initialAvailability, readAvailability } from './availabilityText.ts'
import { DateHours } from './DateHours.tsx'
import { DaysOff } from './DaysOff.tsx'
import { HoursError } from './HoursRows.tsx'
import { WeeklyHours } from './WeeklyHours.tsx'
import classes from './hours.module.css'

/** The hours in which visitors can book: the standard hours, or hours that the user sets. The value of the field is JSON. */
export function AvailabilityField({ editor, field }: FieldProps) {
  const { form } = editor
  const { timezone } = useSession().profile
  const text = toText(form.getValues()[field]) || null
  const availability = readAvailability(text)
  const container = useInvalidInputFocus(form.errors, field)
  const change = (next: Availability | null): void => form.setFieldValue(field, next && JSON.stringify(next))
  const error = form.errors[field]
  const errors = error ? findAvailabilityErrors(text) : {}
  return (
    <RecordField editor={editor} field={field} renderValue={(value) => describeAvailability(readAvailability(value))}>
      {/* focused when the hours are refused and none of them is marked */}
      <div className={`${classes['field']} ${linkClasses['inputs']}`} ref={container} tabIndex={-1} data-path={field}>
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
            <WeeklyHours value={availability.weekly} errors={errors} onChange={(weekly) => change({ ...availability, weekly })} />
            <DaysOff
              value={availability.days_off}
              error={errors['days_off']}
              onChange={(days_off) => change({ ...availability, days_off })}
            />
            <DateHours value={availability.dates} errors={errors} onChange={(dates) => change({ ...availability, dates })} />
          </>
        )}
        <HoursError>{Object.keys(errors).length === 0 && error}</HoursError>
      </div>
    </RecordField>
  )
}
