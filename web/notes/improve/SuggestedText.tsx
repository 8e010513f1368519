import { Button, VisuallyHidden } from '@mantine/core'
import { useId, useMemo } from 'react'
import { formatCount } from '#web/lib/format.ts'
import { runOnCtrlEnter } from '../noteForm.ts'
import classes from './SuggestedText.module.css'
import { compareWords, countWords } from './wordDifference.ts'

type SuggestedTextProps = {
  original: string
  /** The text that the AI suggests. */
  text: string
  isSaving?: boolean
  onAccept: () => void
  onLeave: () => void
}

/** The difference between a note and the text that the AI suggests, word by word. */
export function SuggestedText({ original, text, isSaving = false, onAccept, onLeave }: SuggestedTextProps) {
  const parts = useMemo(() => compareWords(original, text), [original, text])
  const summaryId = useId()
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Ctrl+Enter accepts, as it saves a form
    <section aria-label="Suggested changes" onKeyDown={runOnCtrlEnter(onAccept)}>
      <p id={summaryId} className={classes['summary']}>
        {formatCount(countWords(parts, 'removed'), 'word')} removed, {formatCount(countWords(parts, 'added'), 'word')} added
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long text is scrolled with the keyboard */}
      <div className={classes['text']} dir="auto" tabIndex={0}>
        {parts.map(({ kind, text: words }, index) => {
          // oxlint-disable-next-line react/no-array-index-key -- the parts have no ids, and change only together
          const key = index
          if (kind === 'same') return <span key={key}>{words}</span>
          const Element = kind === 'removed' ? 'del' : 'ins'
          return (
            <Element key={key}>
              <VisuallyHidden component="span">{` [${kind}: `}</VisuallyHidden>
              {words}
              <VisuallyHidden component="span">{'] '}</VisuallyHidden>
            </Element>
          )
        })}
      </div>
      <div className={classes['foot']}>
        <Button variant="default" disabled={isSaving} onClick={onLeave}>
          Leave as it is
        </Button>
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the button replaces the field with the focus */}
        <Button autoFocus loading={isSaving} aria-describedby={summaryId} onClick={onAccept}>
          Accept
        </Button>
      </div>
    </section>
  )
}
