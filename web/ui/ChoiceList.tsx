import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import classes from './ChoiceList.module.css'

type ChoiceListProps = {
  /** The label and the placeholder of the text field. */
  label: string
  choices: readonly { value: string; label: string }[]
  onChoose: (value: string) => void
}

/** A list to choose one value from, filtered by typing. The arrow keys move the focus. */
export function ChoiceList({ label, choices, onChoose }: ChoiceListProps) {
  const [typed, setTyped] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  const matching = choices.filter((choice) => choice.label.toLowerCase().includes(typed.trim().toLowerCase()))
  const step = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const [first] = matching
    if (event.key === 'Enter' && event.target === field.current && first) {
      event.preventDefault()
      onChoose(first.value)
    }
    if (by === undefined) return
    event.preventDefault()
    const stops = [field.current, ...(list.current?.querySelectorAll('button') ?? [])]
    const at = stops.findIndex((stop) => stop === document.activeElement)
    stops.at((at + by) % stops.length)?.focus()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it handles the keys of its field and buttons
    <div className={classes['box']} onKeyDown={step}>
      <input
        ref={field}
        className={classes['field']}
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <ul ref={list} className={classes['list']}>
        {matching.map((choice) => (
          <li key={choice.value}>
            <button type="button" onClick={() => onChoose(choice.value)}>
              {choice.label}
            </button>
          </li>
        ))}
      </ul>
      {matching.length === 0 && <p className={classes['none']}>Nothing like that</p>}
    </div>
  )
}
