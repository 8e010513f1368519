import { Input, TextInput } from '@mantine/core'
import { Suspense, useId, useRef } from 'react'
import * as z from 'zod/mini'
import { DayInput } from '#web/records/form/DayInput.tsx'
import { toText } from '#web/records/form/fields.ts'
import { RecordField } from '#web/records/form/RecordField.tsx'
import type { FieldProps } from '#web/records/form/RecordInputs.tsx'
import { formatMinutesOfDay, toInstant, toLocal, useZone, type Zone } from '../zone.ts'
import classes from './InstantField.module.css'

/** A date and a time in the zone of the profile. The value is the instant, or both texts while they are not complete. */
export const InstantField = (props: FieldProps) => (
  <Suspense>
    <DateAndTime {...props} />
  </Suspense>
)

function DateAndTime({ editor, field }: FieldProps) {
  const zone = useZone()
  const { form, labels } = editor
  const label = labels[field] ?? field
  const value = toText(form.getValues()[field])
  const { date, time } = splitValue(zone, value)
  /** The last instant before the date or the time became incomplete, because the user is typing it. */
  const lastInstant = useRef(value)
  const change = (newDate: string, newTime: string): void => {
    if (isInstant(value)) lastInstant.current = value
    const next = joinValue(zone, newDate, newTime)
    if (field === 'start_time' && isInstant(next) && isInstant(lastInstant.current)) keepLength(editor, lastInstant.current, next)
    form.setFieldValue(field, next)
  }
  const inputProps = form.getInputProps(field)
  const zoneId = useId()
  const saysZone = field === 'start_time' // the end is beside the start
  return (
    <RecordField editor={editor} field={field} renderValue={(text) => describeValue(zone, text)}>
      <fieldset className={classes['field']} aria-describedby={saysZone ? zoneId : undefined}>
        <div className={classes['pair']}>
          <DayInput {...inputProps} label={label} withAsterisk={false} required value={date} onChange={(day) => change(day, time)} />
          <TextInput
            type="time"
            aria-label={`${label}, time`}
            required
            step={300}
            value={time}
            error={Boolean(inputProps.error)}
            onChange={(event) => change(date, event.currentTarget.value)}
          />
        </div>
        {saysZone && (
          <Input.Description id={zoneId} className={classes['zone'] ?? ''}>
            In your time zone, {zone.timezone.replaceAll('_', ' ')}
          </Input.Description>
        )}
      </fieldset>
    </RecordField>
  )
}

/** When the start is moved, the end moves with it. */
function keepLength({ form }: FieldProps['editor'], oldStart: string, newStart: string): void {
  const end = Date.parse(toText(form.getValues()['end_time']))
  const moved = Date.parse(newStart) - Date.parse(oldStart)
  if (!Number.isNaN(end + moved)) form.setFieldValue('end_time', new Date(end + moved).toISOString())
}

/** Whether the value is an instant, and not the texts of a date and a time that are not complete. */
const isInstant = (value: string): boolean => value !== '' && !value.includes('|')

function splitValue(zone: Zone, value: string): { date: string; time: string } {
  if (!isInstant(value)) {
    const [date = '', time = ''] = value.split('|')
    return { date, time }
  }
  const { date, minutes } = toLocal(zone, Date.parse(value))
  return { date, time: formatMinutesOfDay(minutes) }
}

function joinValue(zone: Zone, date: string, time: string): string {
  const isComplete = z.safeParse(z.iso.date(), date).success && /^\d\d:\d\d/.test(time)
  if (!isComplete) return `${date}|${time}`
  const minutes = Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
  return new Date(toInstant(zone, { date, minutes })).toISOString()
}

function describeValue(zone: Zone, value: string): string {
  const { date, time } = splitValue(zone, value)
  return `${date} ${time}`
}
