import { IconSearch, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import classes from './SearchField.module.css'

type SearchFieldProps = {
  /** "Search contacts": the label and what stands in the empty field. */
  label: string
  /** What is searched for now. */
  value: string
  /** Told a moment after the last letter, or at once by Enter. */
  onSearch: (text: string) => void
  /** The key that leads here: "/". */
  shortcut?: string
  fieldRef?: RefObject<HTMLInputElement | null>
}

const pauseMs = 200

/** A search box that waits for the typing to pause. Escape empties it, then leaves it. */
export function SearchField({ label, value, onSearch, shortcut, fieldRef }: SearchFieldProps) {
  const { text, type, settle } = useSettledText(value, onSearch)
  const leave = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') settle(text)
    if (event.key !== 'Escape') return
    event.preventDefault()
    if (text) settle('')
    else event.currentTarget.blur()
  }
  return (
    <div className={classes['field']}>
      <IconSearch size={16} stroke={1.75} aria-hidden />
      <input
        ref={fieldRef}
        type="search"
        aria-label={label}
        aria-keyshortcuts={shortcut}
        placeholder={label}
        value={text}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={leave}
      />
      {text !== '' && (
        <button type="button" aria-label="Empty the search field" className={classes['clear']} onClick={() => settle('')}>
          <IconX size={14} stroke={2} aria-hidden />
        </button>
      )}
    </div>
  )
}

/** What stands in the field: what was typed, unless a different search came from outside (Back, a link). */
function useSettledText(value: string, onSearch: (text: string) => void) {
  const [text, setText] = useState(value)
  const [told, setTold] = useState(value)
  if (value !== told) {
    setTold(value)
    setText(value)
  }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const settle = (next: string) => {
    clearTimeout(timer.current)
    setText(next)
    setTold(next)
    if (next !== told) onSearch(next)
  }
  const type = (next: string) => {
    setText(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => settle(next), pauseMs)
  }
  return { text, type, settle }
}
