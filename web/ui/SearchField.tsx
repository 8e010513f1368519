import { IconSearch, IconX } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState, type KeyboardEvent, type RefObject } from 'react'
import classes from './SearchField.module.css'

type SearchFieldProps = {
  /** The label and placeholder: "Search contacts". */
  label: string
  /** The search text of the list. */
  value: string
  /** Called 200 ms after the last input, or immediately on Enter. */
  onSearch: (text: string) => void
  /** The shortcut that focuses the field: "/". */
  shortcut?: string
  fieldRef?: RefObject<HTMLInputElement | null>
  /** For a long label. */
  isWide?: boolean
  /** The field gets the focus when its dialog opens. */
  hasInitialFocus?: boolean
}

const debounceMs = 200

/** A search field. Escape clears the text; in an empty field, Escape removes the focus. */
export function SearchField({ label, value, onSearch, shortcut, fieldRef, isWide = false, hasInitialFocus = false }: SearchFieldProps) {
  const { text, changeText, applySearch } = useDebouncedSearch(value, onSearch)
  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return // the key belongs to an input method, for example for Chinese
    if (event.key === 'Enter') applySearch(text)
    if (event.key !== 'Escape') return
    event.preventDefault()
    if (text) applySearch('')
    else event.currentTarget.blur()
  }
  return (
    <div className={classes['field']} data-wide={isWide || undefined}>
      <IconSearch size={16} stroke={1.75} aria-hidden />
      <input
        dir="auto"
        ref={fieldRef}
        type="search"
        data-autofocus={hasInitialFocus || undefined}
        aria-label={label}
        aria-keyshortcuts={shortcut}
        placeholder={label}
        value={text}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => changeText(event.currentTarget.value)}
        onKeyDown={handleKey}
      />
      {text !== '' && (
        <button type="button" aria-label="Empty the search field" className={classes['clear']} onClick={() => applySearch('')}>
          <IconX size={14} stroke={2} aria-hidden />
        </button>
      )}
    </div>
  )
}

/**
 * Calls `onSearch` when the user has stopped typing for `debounceMs`. `searchedText` is the text of the last search. A `value` that differs
 * from it has changed for another reason, for example because the user has gone Back, and replaces the typed text.
 */
function useDebouncedSearch(value: string, onSearch: (text: string) => void) {
  const [text, setText] = useState(value)
  const [searchedText, setSearchedText] = useState(value)
  if (value !== searchedText) {
    setSearchedText(value)
    setText(value)
  }
  const applySearch = (next: string) => {
    setText(next)
    setSearchedText(next)
    if (next !== searchedText) onSearch(next)
  }
  /** Uses the `onSearch` of the last render, because the user may have opened another list with the same field since the timer started. */
  const applyTypedText = useEffectEvent(() => applySearch(text))
  useEffect(() => {
    if (text === searchedText) return undefined
    const timer = setTimeout(() => applyTypedText(), debounceMs)
    return () => clearTimeout(timer)
  }, [text, searchedText])
  return { text, changeText: setText, applySearch }
}
