import { memo, useState } from 'react'
import type { Message } from '#contract/assistant.ts'
import { useAnswer } from '../answers/followAnswer.ts'
import classes from './Announcements.module.css'

/** Matches everything up to the last end of a sentence or of a line, which it finds from the end of the text. */
const completeSentences = /^[^]*(?:[.!?:](?=\s)|\n)/

/**
 * Reads an answer out to users of screen readers, sentence by sentence while it is being written, and not letter by letter. The messages
 * themselves are not announced.
 */
export function Announcements({ answer, isStored }: { answer: Message; isStored: boolean }) {
  const { content, state } = useAnswer(answer, isStored).answer
  const isGrowing = state === 'streaming'
  const [announcedFrom] = useState(isGrowing ? content.length : Infinity) // an answer that is complete at first is not read out
  const end = isGrowing ? (completeSentences.exec(content)?.[0].length ?? 0) : content.length
  return (
    <div className={classes['hidden']} role="log" aria-label="Answer">
      {isGrowing && announcedFrom === 0 && <p>The assistant is answering.</p>}
      <Sentences text={content.slice(announcedFrom, end)} />
    </div>
  )
}

/** Memoized, so that it is rendered again only when the answer has another complete sentence. */
const Sentences = memo(({ text }: { text: string }) =>
  text.split(/(?<=[.!?:])\s+|\n+/).map((sentence, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- a sentence keeps its position while the text grows
    <p key={index}>{toPlainText(sentence)}</p>
  )),
)

/** Removes the marks of Markdown and the addresses of links. */
const toPlainText = (markdown: string): string => markdown.replaceAll(/\]\([^)]*\)/g, '').replaceAll(/[*_`#|[\]]+/g, '')
