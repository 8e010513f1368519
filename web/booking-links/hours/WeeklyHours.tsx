import { ActionIcon, Menu } from '@mantine/core'
import { IconCopy, IconPlus } from '@tabler/icons-react'
import type { Availability } from '#contract/bookingLinks.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { weekdays, type Hours } from './availabilityText.ts'
import classes from './hours.module.css'
import { findNextHours, firstHours, HoursError, HoursRows } from './HoursRows.tsx'

type WeeklyHoursProps = {
  value: Availability['weekly']
  /** The error messages by place, such as `weekly.1` for Monday. */
  errors: Readonly<Record<string, string>>
  onChange: (weekly: Availability['weekly']) => void
}

const workdays = [1, 2, 3, 4, 5]
const allDays = [0, 1, 2, 3, 4, 5, 6]

/** The hours of each weekday. A day can have several ranges of hours; the gap between two ranges is a break. */
export function WeeklyHours({ value, errors, onChange }: WeeklyHoursProps) {
  const getHours = (weekday: number): Hours[] => value.flatMap((each) => (each.weekday === weekday ? { from: each.from, to: each.to } : []))
  const setHours = (days: readonly number[], hours: readonly Hours[]): void =>
    onChange(allDays.flatMap((weekday) => (days.includes(weekday) ? hours : getHours(weekday)).map((each) => ({ weekday, ...each }))))
  return (
    <div className={classes['week']}>
      {weekdays.map((name, weekday) => {
        const hours = getHours(weekday)
        const nextHours = findNextHours(hours)
        const toggle = (): void => setHours([weekday], hours.length > 0 ? [] : [firstHours])
        return (
          <fieldset key={name} className={classes['day']} aria-label={name}>
            <label className={classes['name']}>
              <Checkbox label={name} checked={hours.length > 0} onToggle={toggle} />
              {name}
            </label>
            {hours.length > 0 ? (
              <HoursRows label={name} value={hours} onChange={(next) => setHours([weekday], next)} />
            ) : (
              <span className={classes['closed']}>Closed</span>
            )}
            <span className={classes['buttons']}>
              <ActionIcon
                size={32}
                aria-label={hours.length > 0 ? `Add hours after a break: ${name}` : `Add hours: ${name}`}
                title={hours.length > 0 ? 'Add hours after a break' : 'Add hours'}
                disabled={!nextHours}
                data-adds="hours"
                onClick={() => nextHours && setHours([weekday], [...hours, nextHours])}
              >
                <IconPlus size={16} stroke={1.75} />
              </ActionIcon>
              <CopyMenu weekday={weekday} onCopy={(days) => setHours(days, hours)} />
            </span>
            <HoursError>{errors[`weekly.${weekday}`]}</HoursError>
          </fieldset>
        )
      })}
    </div>
  )
}

type CopyMenuProps = { weekday: number; onCopy: (days: readonly number[]) => void }

/** Copies the hours of a weekday to others. */
const CopyMenu = ({ weekday, onCopy }: CopyMenuProps) => (
  <Menu position="bottom-end" width={190}>
    <Menu.Target>
      <ActionIcon size={32} aria-label={`Copy hours of ${weekdays[weekday]}`} title="Copy to other days">
        <IconCopy size={16} stroke={1.75} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Item onClick={() => onCopy(workdays)}>To Monday to Friday</Menu.Item>
      <Menu.Item onClick={() => onCopy(allDays)}>To every day</Menu.Item>
      <Menu.Divider />
      {weekdays.map(
        (name, other) =>
          other !== weekday && (
            <Menu.Item key={name} onClick={() => onCopy([other])}>
              To {name}
            </Menu.Item>
          ),
      )}
    </Menu.Dropdown>
  </Menu>
)
