import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import classes from './ChoiceList.module.css'

type ChoiceListProps = {
  /** The label and the placeholder of the text field. */
  label: string
  choices: readonly { value: string; label: string }[]
  onSelect: (value: string) => void
}

/** A list of buttons that select one value, with a text field that filters them. The arrow keys move the focus. */
export function ChoiceList({ label, choices, onSelect }: ChoiceListProps) {
  const [filterText, setFilterText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  const matches = choices.filter((choice) => choice.label.toLowerCase().includes(filterText.trim().toLowerCase()))
  const handleKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const [first] = matches
    // Enter in the text field selects the first choice
    if (event.key === 'Enter' && event.target === field.current && first) {
      event.preventDefault()
      onSelect(first.value)
    }
    if (step === undefined) return
    event.preventDefault()
    const elements = [field.current, ...(list.current?.querySelectorAll('button') ?? [])]
    const index = elements.findIndex((element) => element === document.activeElement)
    // from the last button, ArrowDown goes to the field; from the field, ArrowUp goes to the last button
    elements.at((index + step) % elements.length)?.focus()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it handles the keys of its field and buttons
    <div className={classes['box']} onKeyDown={handleKey}>
      <input
        ref={field}
        className={classes['field']}
        aria-label={label}
        placeholder={label}
        value={filterText}
        onChange={(event) => setFilterText(event.currentTarget.value)}
      />
      <ul ref={list} className={classes['list']}>
        {matches.map((choice) => (
          <li key={choice.value}>
            <button type="button" onClick={() => onSelect(choice.value)}>
              {choice.label}
            </button>
          </li>
        ))}
      </ul>
      {matches.length === 0 && <p className={classes['none']}>Nothing like that</p>}
    </div>
  )
}
