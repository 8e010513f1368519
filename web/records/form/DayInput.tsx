import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useRef, useState, type FocusEvent } from 'react'
import { dayLimits } from '#contract/fields.ts'
import classes from './DayInput.module.css'
import { formatTypedDay, getDayPlaceholder, parseTypedDay } from './typedDay.ts'

type DayInputProps = Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'rightSection'> & {
  /** The date as `YYYY-MM-DD`, or the typed text while it is not a date. */
  value: string
  /** `isFromCalendar` is true for a date that the user has selected in the calendar, and false while the user types. */
  onChange: (value: string, source: { isFromCalendar: boolean }) => void
}

/** A date, which the user types in the format of their country. The button opens the calendar of the browser. */
export function DayInput({ value, onChange, onBlur, ...props }: DayInputProps) {
  /** The text of the input, and the value that this text stands for. */
  const [entry, setEntry] = useState(() => ({ value, text: formatTypedDay(value) }))
  const field = useRef<HTMLInputElement>(null)
  const calendar = useRef<HTMLInputElement>(null)
  if (entry.value !== value) setEntry({ value, text: formatTypedDay(value) }) // the caller has set another value
  const changeText = (text: string): void => {
    const newValue = parseTypedDay(text) ?? text
    setEntry({ value: newValue, text })
    onChange(newValue, { isFromCalendar: false })
  }
  const leave = (event: FocusEvent<HTMLInputElement>): void => {
    setEntry({ value, text: formatTypedDay(value) })
    onBlur?.(event)
  }
  const selectInCalendar = (day: string): void => {
    field.current?.focus()
    onChange(day, { isFromCalendar: true })
  }
  return (
    <TextInput
      placeholder={getDayPlaceholder()}
      autoComplete="off"
      {...props}
      ref={field}
      value={entry.text}
      onChange={(event) => changeText(event.currentTarget.value)}
      onBlur={leave}
      rightSection={
        <>
          {/* not in the tab order, because typing does the same */}
          <ActionIcon
            className={classes['open']}
            tabIndex={-1}
            aria-label="Choose from a calendar"
            title="Choose from a calendar"
            disabled={props.disabled}
            onClick={() => calendar.current?.showPicker()}
          >
            <IconCalendar size={16} stroke={1.75} />
          </ActionIcon>
          <input
            ref={calendar}
            type="date"
            className={classes['calendar']}
            tabIndex={-1}
            aria-hidden
            min={dayLimits.first}
            max={dayLimits.last}
            value={parseTypedDay(value) ?? ''}
            onChange={(event) => selectInCalendar(event.currentTarget.value)}
          />
        </>
      }
    />
  )
}
