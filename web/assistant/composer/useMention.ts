import { useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import type { Reference } from '#contract/assistant.ts'
import { joinReferences, type Draft } from './drafts.ts'
import { findTypedMention, insertMention, type TypedMention } from './mentions.ts'

/** The mention that is being typed in a message. */
export function useMention(field: RefObject<HTMLTextAreaElement | null>, draft: Draft, onChange: (draft: Draft) => void) {
  const [cursor, setCursor] = useState<number>()
  /** The start of the mention for which no list is shown, because the user has closed its list or chosen a record. */
  const [closedAt, setClosedAt] = useState<number>()
  const found = cursor === undefined ? undefined : findTypedMention(draft.text, cursor)
  const typed = found && found.start !== closedAt ? found : undefined
  /** Changes the message, and moves the cursor at once, so that the next key types at its new position. */
  const change = (next: Draft, position: number): void => {
    flushSync(() => {
      onChange(next)
      setCursor(position)
    })
    field.current?.focus()
    field.current?.setSelectionRange(position, position)
  }
  const replace = (mention: TypedMention, { kind, id, title }: Reference): void => {
    const { text, cursor: next } = insertMention(draft.text, mention, title)
    setClosedAt(mention.start)
    change({ text, references: joinReferences(draft.references, [{ kind, id, title }]) }, next)
  }
  return {
    typed,
    readCursor: (): void => {
      const { selectionStart, selectionEnd } = field.current ?? {}
      setCursor(selectionStart === selectionEnd ? selectionStart : undefined)
      if (found === undefined) setClosedAt(undefined)
    },
    choose: (reference: Reference): void => {
      if (typed) replace(typed, reference)
    },
    close: (): void => setClosedAt(typed?.start),
    /** Types "@" for the user. */
    start: (): void => {
      const position = field.current?.selectionStart ?? draft.text.length
      const before = draft.text.slice(0, position)
      const sign = before === '' || /\s$/.test(before) ? '@' : ' @'
      setClosedAt(undefined)
      change({ ...draft, text: `${before}${sign}${draft.text.slice(position)}` }, position + sign.length)
    },
  }
}
