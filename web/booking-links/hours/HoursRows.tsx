import { ActionIcon, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useRef, type ReactNode } from 'react'
import { overlapsEarlierHours } from '#contract/bookingLinks.ts'
import type { Hours } from './availabilityText.ts'
import classes from './hours.module.css'
import { removeRow } from './removeRow.ts'

type HoursRowsProps = {
  /** What the hours belong to, for screen readers: "Monday". */
  label: string
  value: readonly Hours[]
  onChange: (hours: Hours[]) => void
}

/** The hours of a day, each with a start and an end. */
export function HoursRows({ label, value, onChange }: HoursRowsProps) {
  const rows = useRef<HTMLDivElement>(null)
  const remove = (index: number): void => {
    const day = rows.current?.parentElement // the rows disappear together with the last hours
    removeRow(day, 'hours', index, () => onChange(value.filter((_, other) => other !== index)))
  }
  return (
    <div ref={rows} className={classes['rows']}>
      {value.map((hours, index) => {
        const replace = (changes: Partial<Hours>): void => onChange(value.with(index, { ...hours, ...changes }))
        return (
          // oxlint-disable-next-line react/no-array-index-key -- hours have no ids
          <div key={index} className={classes['row']}>
            <TextInput
              type="time"
              step={300}
              aria-label={`${label}, from`}
              value={hours.from}
              error={hours.from === '' || overlapsEarlierHours(value, index)}
              onChange={(event) => replace({ from: event.currentTarget.value })}
            />
            <span>to</span>
            <TextInput
              type="time"
              step={300}
              aria-label={`${label}, to`}
              value={hours.to === endOfDay ? '00:00' : hours.to}
              error={hours.from >= hours.to}
              onChange={(event) => replace({ to: event.currentTarget.value === '00:00' ? endOfDay : event.currentTarget.value })}
            />
            <ActionIcon
              size={32}
              aria-label={`Remove ${hours.from} to ${hours.to}: ${label}`}
              title="Remove"
              data-removes="hours"
              onClick={() => remove(index)}
            >
              <IconX size={16} stroke={1.75} />
            </ActionIcon>
          </div>
        )
      })}
    </div>
  )
}

/** The message about refused hours; nothing without a message. */
export const HoursError = ({ children }: { children: ReactNode }) =>
  children ? (
    <p className={classes['error']} role="alert">
      {children}
    </p>
  ) : null

/** Time fields of browsers have no 24:00. */
const endOfDay = '24:00'

const hourMinutes = 60

/** The first hours of a day. */
export const firstHours: Hours = { from: '09:00', to: '17:00' }

/**
 * Returns hours that begin an hour after the latest end, or at 23:00 if that is earlier. They end at 17:00, or two hours after their start
 * if that is later, but not after 24:00. Undefined if the day has less than an hour left.
 */
export function findNextHours(hours: readonly Hours[]): Hours | undefined {
  const latest = hours
    .map(({ to }) => to)
    .toSorted()
    .at(-1)
  if (!latest) return firstHours
  if (toMinutes(latest) > 23 * hourMinutes) return undefined
  const from = Math.min(toMinutes(latest) + hourMinutes, 23 * hourMinutes)
  return { from: toTime(from), to: toTime(Math.max(17 * hourMinutes, Math.min(from + 2 * hourMinutes, 24 * hourMinutes))) }
}

const toMinutes = (time: string): number => Number(time.slice(0, 2)) * hourMinutes + Number(time.slice(3))
const toTime = (minutes: number): string =>
  `${String(Math.floor(minutes / hourMinutes)).padStart(2, '0')}:${String(minutes % hourMinutes).padStart(2, '0')}`
