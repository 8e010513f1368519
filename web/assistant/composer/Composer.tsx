import { ActionIcon, Button } from '@mantine/core'
import { IconArrowUp, IconPhotoSpark, IconPlayerStop } from '@tabler/icons-react'
import { useEffect, useRef, type KeyboardEvent } from 'react'
import { maxMessageCharacters } from '#contract/assistant.ts'
import { AiOffNotice } from '#web/ui/AiOffNotice.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { openImageDialog } from '../images/imageDialog.ts'
import { AttachButtons } from './AttachButtons.tsx'
import { AttachmentList } from './AttachmentList.tsx'
import { clearDraft, useDraft, type Draft } from './drafts.ts'
import classes from './Composer.module.css'
import { MentionList } from './MentionList.tsx'
import { useAttachments } from './useAttachments.ts'
import { useComposerHeight } from './useComposerHeight.ts'
import { useDropAndPaste } from './useDropAndPaste.ts'
import { useMention } from './useMention.ts'

type ComposerProps = {
  /** Undefined for a new conversation. */
  conversationId: string | undefined
  /** Sends the draft, which is then empty. */
  onSend: (message: Draft) => void
  /** An answer is being written. It can be stopped, and nothing can be sent. */
  isAnswering: boolean
  /** Undefined while the answer cannot be stopped, because it has not begun or is being stopped. */
  onStop: (() => void) | undefined
  /** Why the AI cannot be used, or not for everything. */
  problem?: string | undefined
  /** Nothing can be attached or sent. What the user types is kept. */
  isDisabled?: boolean
  /** The field gets the focus, also from another element. */
  hasInitialFocus?: boolean | undefined
}

/** The field with the draft of a message, its attachments and buttons. Enter sends it, Shift+Enter begins a new line. */
export function Composer({
  conversationId,
  onSend,
  isAnswering,
  onStop,
  problem,
  isDisabled = false,
  hasInitialFocus = false,
}: ComposerProps) {
  const composer = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const [draft, changeDraft] = useDraft(conversationId)
  const attachments = useAttachments(conversationId)
  const mention = useMention(field, draft, changeDraft)
  const { isOver, handlers } = useDropAndPaste(attachments.upload, isDisabled)
  const canSend = !isAnswering && !isDisabled && !attachments.isUploading && draft.text.trim() !== ''
  const send = (): void => {
    clearDraft(conversationId)
    onSend(draft)
  }
  const sendOnEnter = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (canSend) send()
  }
  useComposerHeight(composer)
  useEffect(() => {
    const isNothingFocused = document.activeElement === null || document.activeElement.matches('body, main')
    if (hasInitialFocus || isNothingFocused) focusUnlessTouchscreen(field.current)
  }, [hasInitialFocus])
  const stop =
    onStop &&
    (() => {
      focusUnlessTouchscreen(field.current) // the button is replaced by another one
      onStop()
    })
  return (
    <div ref={composer} className={classes['composer']} data-composer>
      {problem !== undefined && (
        <div className={classes['problem']}>
          <AiOffNotice text={problem} />
        </div>
      )}
      <div className={classes['box']} data-disabled={isDisabled || undefined} data-over={isOver || undefined} {...handlers}>
        {mention.typed && <MentionList search={mention.typed.search} field={field} onChoose={mention.choose} onClose={mention.close} />}
        <AttachmentList references={draft.references} attachments={attachments} />
        {/* the hidden copy of the text gives the field its height */}
        <div className={classes['text']} data-copy={`${draft.text} `}>
          <textarea
            ref={field}
            dir="auto"
            rows={1}
            aria-label="Message"
            placeholder="Type your message..."
            value={draft.text}
            maxLength={maxMessageCharacters}
            onChange={(event) => changeDraft({ ...draft, text: event.currentTarget.value })}
            onSelect={mention.readCursor}
            onKeyDown={sendOnEnter}
          />
        </div>
        <div className={classes['tools']}>
          <AttachButtons attachments={attachments} isDisabled={isDisabled} onMention={mention.start} />
          <Tooltip label="Generate image">
            <ActionIcon aria-label="Generate image" onClick={openImageDialog}>
              <IconPhotoSpark size={18} stroke={1.6} />
            </ActionIcon>
          </Tooltip>
          {isAnswering ? (
            <Button
              variant="default"
              className={classes['send'] ?? ''}
              leftSection={<IconPlayerStop size={16} stroke={1.75} />}
              disabled={!onStop}
              onClick={stop}
            >
              Stop
            </Button>
          ) : (
            <Button
              className={classes['send'] ?? ''}
              leftSection={<IconArrowUp size={16} stroke={1.75} />}
              disabled={!canSend}
              onClick={send}
            >
              Send
            </Button>
          )}
        </div>
      </div>
      <p className={classes['hint']}>Answers can be wrong. Nothing changes without you.</p>
    </div>
  )
}

/** Focuses the field, except on phones and tablets, where the focus opens a keyboard that covers half of the screen. */
function focusUnlessTouchscreen(field: HTMLElement | null): void {
  if (!matchMedia('(pointer: coarse)').matches) field?.focus({ preventScroll: true })
}
