import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import type { Availability } from '#contract/bookingLinks.ts'
import { getToday } from '#web/lib/format.ts'
import { DayInput } from '#web/records/form/DayInput.tsx'
import { formatTypedDay } from '#web/records/form/typedDay.ts'
import { isDay } from './availabilityText.ts'
import { HoursError } from './HoursRows.tsx'
import classes from './hours.module.css'
import { removeRow } from './removeRow.ts'

type DaysOff = Availability['days_off']

type DaysOffProps = { value: DaysOff; error: string | undefined; onChange: (daysOff: DaysOff) => void }

/** Days without hours, such as holidays. */
export function DaysOff({ value, error, onChange }: DaysOffProps) {
  const list = useRef<HTMLFieldSetElement>(null)
  const remove = (index: number): void =>
    removeRow(list.current, 'days-off', index, () => onChange(value.filter((_, other) => other !== index)))
  return (
    <fieldset ref={list} className={classes['list']}>
      <legend>Days off</legend>
      {value.map((period, index) => {
        const replace = (changes: Partial<DaysOff[number]>): void => onChange(value.with(index, { ...period, ...changes }))
        return (
          // oxlint-disable-next-line react/no-array-index-key -- days off have no ids
          <div key={index} className={classes['row']}>
            <DayInput
              aria-label="First day off"
              value={period.from}
              error={error !== undefined && !isDay(period.from)}
              onChange={(from) => replace({ from, ...(isDay(from) && period.to < from && { to: from }) })}
            />
            <span>to</span>
            <DayInput aria-label="Last day off" value={period.to} error={period.to < period.from} onChange={(to) => replace({ to })} />
            <ActionIcon
              size={32}
              aria-label={formatRemoveLabel(period)}
              title="Remove"
              data-removes="days-off"
              onClick={() => remove(index)}
            >
              <IconX size={16} stroke={1.75} />
            </ActionIcon>
          </div>
        )
      })}
      <HoursError>{error}</HoursError>
      <Button
        data-adds="days-off"
        variant="subtle"
        leftSection={<IconPlus size={16} stroke={1.75} />}
        onClick={() => onChange([...value, { from: getToday(), to: getToday() }])}
      >
        Add days off
      </Button>
    </fieldset>
  )
}

/** The label of the button that removes days off. It names these days. */
const formatRemoveLabel = ({ from, to }: DaysOff[number]): string =>
  `Remove days off: ${to === '' || to === from ? formatTypedDay(from) : `${formatTypedDay(from)} to ${formatTypedDay(to)}`}`
