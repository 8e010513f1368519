import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import type { Availability } from '#contract/bookingLinks.ts'
import { getToday } from '#web/lib/format.ts'
import { DayInput } from '#web/records/form/DayInput.tsx'
import { formatTypedDay } from '#web/records/form/typedDay.ts'
import { isDay } from './availabilityText.ts'
import classes from './hours.module.css'
import { findNextHours, firstHours, HoursError, HoursRows } from './HoursRows.tsx'
import { removeRow } from './removeRow.ts'

type Dates = Availability['dates']

type DateHoursProps = {
  value: Dates
  /** The error messages by place, such as `dates.0`. */
  errors: Readonly<Record<string, string>>
  onChange: (dates: Dates) => void
}

/** The hours of single dates, which replace the hours of their weekday. */
export function DateHours({ value, errors, onChange }: DateHoursProps) {
  const list = useRef<HTMLFieldSetElement>(null)
  const remove = (index: number): void =>
    removeRow(list.current, 'date', index, () => onChange(value.filter((_, other) => other !== index)))
  return (
    <fieldset ref={list} className={classes['list']}>
      <legend>Single dates with other hours</legend>
      {value.map(({ date, hours }, index) => {
        const replace = (changes: Partial<Dates[number]>): void => onChange(value.with(index, { date, hours, ...changes }))
        const label = formatTypedDay(date)
        const error = errors[`dates.${index}`]
        const nextHours = findNextHours(hours)
        return (
          // oxlint-disable-next-line react/no-array-index-key -- a date may be typed twice
          <div key={index} className={classes['date']}>
            <div className={classes['row']}>
              <DayInput
                aria-label="Date"
                value={date}
                error={error !== undefined && !isDay(date)}
                onChange={(next) => replace({ date: next })}
              />
              <ActionIcon
                size={32}
                aria-label={`Add hours: ${label}`}
                title="Add hours"
                disabled={!nextHours}
                data-adds="hours"
                onClick={() => nextHours && replace({ hours: [...hours, nextHours] })}
              >
                <IconPlus size={16} stroke={1.75} />
              </ActionIcon>
              <ActionIcon size={32} aria-label={`Remove date: ${label}`} title="Remove" data-removes="date" onClick={() => remove(index)}>
                <IconX size={16} stroke={1.75} />
              </ActionIcon>
            </div>
            {hours.length > 0 ? (
              <HoursRows label={label} value={hours} onChange={(next) => replace({ hours: next })} />
            ) : (
              <span className={classes['closed']}>Closed</span>
            )}
            <HoursError>{error}</HoursError>
          </div>
        )
      })}
      <Button
        variant="subtle"
        data-adds="date"
        leftSection={<IconPlus size={16} stroke={1.75} />}
        onClick={() => onChange([...value, { date: getToday(), hours: [firstHours] }])}
      >
        Add date
      </Button>
    </fieldset>
  )
}
