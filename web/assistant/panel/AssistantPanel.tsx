import { ActionIcon } from '@mantine/core'
import { IconExternalLink, IconHistory, IconPlus, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState, type KeyboardEvent } from 'react'
import { useActions } from '#web/lib/actions.ts'
import { aiQuery, findAiProblem } from '#web/lib/aiState.ts'
import { pendingQuestion, type QuestionContext } from '#web/lib/askAssistant.ts'
import type { Icon } from '#web/lib/features.ts'
import { queries } from '#web/lib/queries.ts'
import { useStore } from '#web/lib/store.ts'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import type { OpenContext } from '../answers/send.ts'
import { Chat } from '../chat/Chat.tsx'
import { startConversation } from '../chat/startConversation.ts'
import { addToDraft, type Draft } from '../composer/drafts.ts'
import { ConversationList } from '../conversations/ConversationList.tsx'
import { conversationQuery } from '../conversations/queries.ts'
import { ImageDialogSlot } from '../images/ImageDialogSlot.tsx'
import classes from './AssistantPanel.module.css'
import { findOpenContext } from './openContext.ts'
import { changePanel, panelState } from './panelState.ts'

const close = (): void => changePanel({ isOpen: false })
const openConversation = (id: string | undefined): void => changePanel({ conversationId: id })
const leaveConversation = (id: string): void => {
  if (panelState.get().conversationId === id) openConversation(undefined)
}
const chatListeners = { onOpen: openConversation, onNotCreated: leaveConversation }

/** The assistant beside any screen. It knows the record or the list that the screen shows. */
export function AssistantPanel() {
  const { conversationId } = useStore(panelState)
  const [isListOpen, setListOpen] = useState(false)
  const { getContext, setAskedContext } = useContextOfPage()
  const navigate = useNavigate()
  const { data: conversation } = useQuery({ ...conversationQuery(conversationId ?? ''), enabled: conversationId !== undefined })
  useReturnFocus()
  useCloseOnPhone()
  useActions([{ keys: 'Escape', label: 'Close the assistant', run: close }])
  useQuestion((context) => {
    setListOpen(false)
    setAskedContext(context)
  })
  const open = (id: string | undefined): void => {
    setListOpen(false)
    setAskedContext(undefined)
    openConversation(id)
  }
  const openAsPage = (): void => {
    close()
    void navigate({ to: conversationId === undefined ? '/assistant' : `/assistant/${conversationId}` })
  }
  const title = (conversationId === undefined ? undefined : conversation?.title) ?? 'Assistant'
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles the keys of its content
    <aside className={classes['panel']} aria-label="Assistant" onKeyDown={closeOnEscape}>
      <header className={classes['header']}>
        <h2 className={classes['title']} dir="auto" title={title}>
          {isListOpen ? 'Chats' : title}
        </h2>
        <HeaderButton label="New chat" icon={IconPlus} onClick={() => open(undefined)} />
        <HeaderButton label="Chats" icon={IconHistory} isPressed={isListOpen} onClick={() => setListOpen(!isListOpen)} />
        <HeaderButton label="Open as page" icon={IconExternalLink} onClick={openAsPage} />
        <HeaderButton label="Close" keys="Esc" icon={IconX} onClick={close} />
      </header>
      {isListOpen ? (
        <ConversationList openId={conversationId} onOpen={open} onDeleted={() => openConversation(undefined)} />
      ) : (
        <Chat conversationId={conversationId} getContext={getContext} {...chatListeners} hasInitialFocus />
      )}
      <ImageDialogSlot />
    </aside>
  )
}

/**
 * `getContext` returns what the page shows. After `setAskedContext` it returns that context instead, until the user opens another page.
 */
function useContextOfPage() {
  const location = useLocation()
  const { pathname } = location
  const [asked, setAsked] = useState<{ context: QuestionContext; pathname: string }>()
  if (asked && asked.pathname !== pathname) setAsked(undefined)
  const getContext = (): OpenContext => (asked ? toOpenContext(asked.context) : findOpenContext(location))
  const setAskedContext = (context: QuestionContext | undefined): void => setAsked(context && { context, pathname })
  return { getContext, setAskedContext }
}

const toOpenContext = ({ record, list }: QuestionContext): OpenContext => ({
  ...(record && { open_record: record }),
  ...(list && { open_list: { ...list, filter: [...list.filter] } }),
})

/** On phones the panel covers the screen, so it closes when a link in it opens another screen. */
function useCloseOnPhone(): void {
  const { pathname } = useLocation()
  const [openedAt] = useState(pathname)
  useEffect(() => {
    if (pathname !== openedAt && matchMedia('(max-width: 767px)').matches) close()
  }, [pathname, openedAt])
}

/** Takes a question that another part of the application asks: sends it in a new conversation, or adds it to the draft of a new one. */
function useQuestion(onQuestion: (context: QuestionContext | undefined) => void): void {
  const take = useEffectEvent(() => {
    const question = pendingQuestion.get()
    if (!question) return
    // before the question is removed, because the panel is shown only while it is open or a question is pending
    changePanel({ isOpen: true })
    pendingQuestion.set(undefined)
    const { text = '', references = [], isSentAtOnce = false, record, list } = question
    const draft = { text, references: [...references] }
    const context = record || list ? { ...(record && { record }), ...(list && { list }) } : undefined
    onQuestion(context)
    openConversation(undefined)
    if (isSentAtOnce) void sendIfPossible(draft, toOpenContext(context ?? {}))
    else addToDraft(undefined, draft)
  })
  useEffect(() => {
    take()
    return pendingQuestion.subscribe(() => take())
  }, [])
}

/** Sends a question in a new conversation. Without an AI it is added to the draft, and the panel says how an AI is connected. */
async function sendIfPossible(draft: Draft, context: OpenContext): Promise<void> {
  // if the connection cannot be loaded, the question is sent, and the server says what is wrong
  const connection = await queries.ensureQueryData(aiQuery).catch(() => undefined)
  if (connection && findAiProblem(connection)) addToDraft(undefined, draft)
  else await startConversation(draft, context, chatListeners)
}

/** Escape closes the panel. Other keys do not reach the shortcuts of the screen, for example those of a list. */
function closeOnEscape(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
  event.stopPropagation()
  if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
  event.preventDefault()
  close()
}

type HeaderButtonProps = { label: string; keys?: string; icon: Icon; isPressed?: boolean; onClick: () => void }

function HeaderButton({ label, keys, icon: Picture, isPressed, onClick }: HeaderButtonProps) {
  return (
    <Tooltip label={keys ? `${label} (${keys})` : label}>
      <ActionIcon aria-label={label} aria-pressed={isPressed} onClick={onClick}>
        <Picture size={18} stroke={1.7} />
      </ActionIcon>
    </Tooltip>
  )
}
