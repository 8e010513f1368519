import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { Availability } from '#contract/bookingLinks.ts'
import { getToday } from '#web/lib/format.ts'
import { DayInput } from '#web/records/form/DayInput.tsx'
import { isDay } from './availabilityText.ts'
import { HoursError } from './HoursRows.tsx'
import classes from './hours.module.css'

type DaysOff = Availability['days_off']

type DaysOffProps = { value: DaysOff; error: string | undefined; onChange: (daysOff: DaysOff) => void }

/** Days without hours, such as holidays. */
export const DaysOff = ({ value, error, onChange }: DaysOffProps) => (
  <fieldset className={classes['list']}>
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
            aria-label="Remove days off"
            title="Remove"
            onClick={() => onChange(value.filter((_, other) => other !== index))}
          >
            <IconX size={16} stroke={1.75} />
          </ActionIcon>
        </div>
      )
    })}
    <HoursError>{error}</HoursError>
    <Button
      variant="subtle"
      leftSection={<IconPlus size={16} stroke={1.75} />}
      onClick={() => onChange([...value, { from: getToday(), to: getToday() }])}
    >
      Add days off
    </Button>
  </fieldset>
)
