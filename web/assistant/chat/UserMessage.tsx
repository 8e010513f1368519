import { ActionIcon, Button } from '@mantine/core'
import { IconPencil, IconRefresh } from '@tabler/icons-react'
import { useRef, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { maxMessageCharacters, type Message } from '#contract/assistant.ts'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { sendMessage, type OpenContext } from '../answers/send.ts'
import { addToDraft } from '../composer/drafts.ts'
import { RecordLink } from '../markdown/RecordLink.tsx'
import { focusMessages } from './focusMessages.ts'
import classes from './Message.module.css'
import { useEditedText } from './useEditedText.ts'

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
  const [edited, setEdited] = useEditedText(message)
  const editButton = useRef<HTMLButtonElement>(null)
  const { id, conversation_id: conversationId, content, references } = message
  const sendAgain = async (text: string): Promise<void> => {
    focusMessages()
    setEdited(undefined)
    const isSent = await sendMessage(conversationId, { content: text, references, context: getContext() }, { replacedId: id })
    if (!isSent && text !== content) addToDraft(conversationId, { text, references })
  }
  const cancel = (): void => {
    flushSync(() => setEdited(undefined)) // the button must exist before it can be focused
    editButton.current?.focus()
  }
  if (edited !== undefined)
    return (
      <EditForm
        text={edited}
        hasInitialFocus={edited === content} // the user has just opened the form, otherwise it was restored
        canSend={canSend}
        onChange={setEdited}
        onSend={() => void sendAgain(edited)}
        onCancel={cancel}
      />
    )
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
            <ActionIcon ref={editButton} size={28} aria-label="Edit and send again" disabled={!canSend} onClick={() => setEdited(content)}>
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

type EditFormProps = {
  text: string
  hasInitialFocus: boolean
  canSend: boolean
  onChange: (text: string) => void
  onSend: () => void
  onCancel: () => void
}

/** The field in which a sent message is edited. Enter sends it, Escape cancels. */
function EditForm({ text, hasInitialFocus, canSend, onChange, onSend, onCancel }: EditFormProps) {
  const canSendEdited = canSend && text.trim() !== ''
  const sendOrCancel = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.preventDefault()
      onCancel()
    }
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    if (canSendEdited) onSend()
  }
  return (
    <form
      className={classes['edit']}
      onSubmit={(event) => {
        event.preventDefault()
        if (canSendEdited) onSend()
      }}
    >
      <textarea
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has chosen to edit
        autoFocus={hasInitialFocus}
        dir="auto"
        aria-label="Edit the message"
        value={text}
        maxLength={maxMessageCharacters}
        onChange={(event) => onChange(event.currentTarget.value)}
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
