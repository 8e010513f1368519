import { ActionIcon, Button } from '@mantine/core'
import { IconPencil, IconRefresh } from '@tabler/icons-react'
import { useRef, useState, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { maxMessageCharacters, type Message } from '#contract/assistant.ts'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { sendMessage, type OpenContext } from '../answers/send.ts'
import { addToDraft } from '../composer/drafts.ts'
import { RecordLink } from '../markdown/RecordLink.tsx'
import { focusMessages } from './focusMessages.ts'
import classes from './Message.module.css'

type UserMessageProps = {
  message: Message
  getContext: () => OpenContext
  /** False while an answer is being written. */
  canSend: boolean
  /** The message has no answer, because the answer failed. */
  isUnanswered: boolean
}

/** A message of the user, which can be edited and sent again. */
export function UserMessage({ message, getContext, canSend, isUnanswered }: UserMessageProps) {
  const [isEditing, setEditing] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)
  const { id, conversation_id: conversationId, content, references } = message
  const sendAgain = async (text: string): Promise<void> => {
    focusMessages()
    const isSent = await sendMessage(conversationId, { content: text, references, context: getContext() }, { replacedId: id })
    if (!isSent && text !== content) addToDraft(conversationId, { text, references })
  }
  const cancel = (): void => {
    flushSync(() => setEditing(false)) // the button must exist before it can be focused
    editButton.current?.focus()
  }
  if (isEditing) return <EditForm text={content} canSend={canSend} onSend={(text) => void sendAgain(text)} onCancel={cancel} />
  return (
    <article className={classes['user']} aria-label="You">
      {references.length > 0 && (
        <ul className={classes['references']} aria-label="Attached">
          {references.map((record) => (
            <li key={record.id}>
              <RecordLink target={{ type: 'record', ...record }}>{record.title}</RecordLink>
            </li>
          ))}
        </ul>
      )}
      <div className={classes['said']}>
        <div className={classes['tools']}>
          <CopyButton text={content} label="Copy message" size={28} />
          <Tooltip label="Edit and send again">
            <ActionIcon ref={editButton} size={28} aria-label="Edit and send again" disabled={!canSend} onClick={() => setEditing(true)}>
              <IconPencil size={16} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
        </div>
        <p className={classes['bubble']} dir="auto">
          {content}
        </p>
      </div>
      {isUnanswered && (
        <div className={classes['problem']}>
          <p>This message has no answer.</p>
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} stroke={1.75} />}
            disabled={!canSend}
            onClick={() => void sendAgain(content)}
          >
            Retry
          </Button>
        </div>
      )}
    </article>
  )
}

type EditFormProps = { text: string; canSend: boolean; onSend: (text: string) => void; onCancel: () => void }

/** The field in which a sent message is edited. Enter sends it, Escape cancels. */
function EditForm({ text, canSend, onSend, onCancel }: EditFormProps) {
  const [edited, setEdited] = useState(text)
  const canSendEdited = canSend && edited.trim() !== ''
  const sendOrCancel = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.preventDefault()
      onCancel()
    }
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    if (canSendEdited) onSend(edited)
  }
  return (
    <form
      className={classes['edit']}
      onSubmit={(event) => {
        event.preventDefault()
        if (canSendEdited) onSend(edited)
      }}
    >
      <textarea
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has chosen to edit
        autoFocus
        dir="auto"
        aria-label="Edit the message"
        value={edited}
        maxLength={maxMessageCharacters}
        onChange={(event) => setEdited(event.currentTarget.value)}
        onKeyDown={sendOrCancel}
      />
      <div className={classes['editButtons']}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" disabled={!canSendEdited}>
          Send
        </Button>
      </div>
    </form>
  )
}
