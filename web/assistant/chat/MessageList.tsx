import { Button } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import type { Message } from '#contract/assistant.ts'
import { isEmptyAnswer } from '../answers/followAnswer.ts'
import type { OpenContext } from '../answers/send.ts'
import { Announcements } from './Announcements.tsx'
import { AnswerMessage } from './AnswerMessage.tsx'
import classes from './MessageList.module.css'
import { UserMessage } from './UserMessage.tsx'
import { useScrollToEnd } from './useScrollToEnd.ts'

type MessageListProps = {
  /** The oldest message first. */
  messages: readonly Message[]
  /** The last messages are not stored yet. */
  isSending: boolean
  isLoading: boolean
  getContext: () => OpenContext
  /** Loads earlier messages; undefined if there are none. */
  earlier: { isLoading: boolean; load: () => void } | undefined
}

/** The messages of a conversation. While an answer grows, its end stays visible, unless the user has scrolled up. */
export function MessageList({ messages, isSending, isLoading, getContext, earlier }: MessageListProps) {
  const shown = messages.filter((message) => !isEmptyAnswer(message))
  const last = shown.at(-1)
  const isAnswering = last?.state === 'streaming'
  const { box, content, isAtEnd, scrollToEnd } = useScrollToEnd(messages.at(-1)?.id, isAnswering)
  return (
    <div className={classes['frame']}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls the messages */}
      <section ref={box} className={classes['scroll']} aria-label="Messages" tabIndex={0} data-messages>
        <div ref={content} className={classes['content']}>
          {isLoading && <MessagesSkeleton />}
          {earlier && (
            <Button variant="default" className={classes['earlier'] ?? ''} loading={earlier.isLoading} onClick={earlier.load}>
              Show earlier messages
            </Button>
          )}
          {shown.map((message, index) =>
            message.role === 'user' ? (
              <UserMessage
                key={message.id}
                message={message}
                getContext={getContext}
                canSend={!isAnswering}
                isUnanswered={index === shown.length - 1 && !isSending}
              />
            ) : (
              <AnswerMessage
                key={message.id}
                answer={message}
                isStored={!isSending}
                canRetry={!isAnswering}
                isLast={index === shown.length - 1}
              />
            ),
          )}
        </div>
      </section>
      {last?.role === 'assistant' && <Announcements key={last.id} answer={last} isStored={!isSending} />}
      {!isAtEnd && (
        <button type="button" className={classes['toEnd']} aria-label="Scroll to the end" title="Scroll to the end" onClick={scrollToEnd}>
          <IconArrowDown size={18} stroke={1.75} />
        </button>
      )}
    </div>
  )
}

/** Shown while the messages are being loaded. */
const MessagesSkeleton = () => (
  <output className={classes['waiting']} aria-label="Loading the messages">
    {[0.3, 0.85, 0.7, 0.9, 0.4].map((width) => (
      <span key={width} style={{ width: `${width * 100}%` }} />
    ))}
  </output>
)
