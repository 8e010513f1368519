import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageRoutes } from '#contract/assistant.ts'
import { useAi } from '#web/lib/aiState.ts'
import { call } from '#web/lib/client.ts'
import { describeError, toastError } from '#web/lib/toasts.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { listMessages, messagesQuery } from '../answers/messages.ts'
import { sendMessage, useMessages, type OpenContext } from '../answers/send.ts'
import { Composer } from '../composer/Composer.tsx'
import { addToDraft, type Draft } from '../composer/drafts.ts'
import classes from './Chat.module.css'
import { EmptyChat } from './EmptyChat.tsx'
import { MessageList } from './MessageList.tsx'
import { startConversation } from './startConversation.ts'

type ChatProps = {
  /** Undefined for a new conversation, which begins with its first message. */
  conversationId: string | undefined
  /** Returns what the user sees beside the conversation. */
  getContext: () => OpenContext
  /** Called with the id of a new conversation, before it is created. */
  onOpen: (id: string) => void
  /** Called with the id of a new conversation that could not be created. By then another one may be open. */
  onNotCreated: (id: string) => void
  /** The field for the next message gets the focus. */
  hasInitialFocus?: boolean
}

/** Returns what the AI lacks. Without an AI nothing can be sent; without tools the AI can neither read nor change the workspace. */
function useAiProblem(): { problem: string | undefined; isDisabled: boolean } {
  const { findProblem } = useAi()
  const off = findProblem()
  return { problem: off ?? findProblem('tools'), isDisabled: off !== undefined }
}

/** A conversation with its messages and the field for the next one. */
export function Chat(props: ChatProps) {
  const { conversationId } = props
  return conversationId === undefined ? (
    <NewChat {...props} />
  ) : (
    <StoredChat key={conversationId} {...props} conversationId={conversationId} />
  )
}

function NewChat({ getContext, onOpen, onNotCreated }: ChatProps) {
  const ai = useAiProblem()
  const start = (message: Draft): void => void startConversation(message, getContext(), { onOpen, onNotCreated })
  return (
    <>
      <div className={classes['scroll']}>
        <EmptyChat onAsk={ai.isDisabled ? undefined : (text) => start({ text, references: [] })} />
      </div>
      <Composer conversationId={undefined} onSend={start} isAnswering={false} onStop={undefined} {...ai} hasInitialFocus />
    </>
  )
}

function StoredChat({ conversationId, getContext, hasInitialFocus }: ChatProps & { conversationId: string }) {
  const query = useInfiniteQuery(messagesQuery(conversationId))
  const { messages, isSending } = useMessages(conversationId, query.data ? listMessages(query.data) : [])
  const ai = useAiProblem()
  const answer = messages.findLast(({ state }) => state === 'streaming')
  const [stoppedId, setStoppedId] = useState('')
  const send = async (draft: Draft): Promise<void> => {
    const isSent = await sendMessage(conversationId, { content: draft.text, references: draft.references, context: getContext() })
    if (!isSent) addToDraft(conversationId, draft)
  }
  const stop = async (id: string): Promise<void> => {
    setStoppedId(id)
    try {
      await call(messageRoutes.stop, { params: { id } })
    } catch (error) {
      setStoppedId('')
      toastError(error)
    }
  }
  const canStop = answer !== undefined && !isSending && answer.id !== stoppedId
  if (query.error && !query.data)
    return (
      <div className={classes['scroll']}>
        <FailedState
          title="The conversation could not be loaded"
          reason={describeError(query.error)}
          onRetry={() => void query.refetch()}
          isRetrying={query.isFetching}
        />
      </div>
    )
  return (
    <>
      <MessageList
        messages={messages}
        isSending={isSending}
        isLoading={query.isPending}
        getContext={getContext}
        earlier={query.hasNextPage ? { isLoading: query.isFetchingNextPage, load: () => void query.fetchNextPage() } : undefined}
      />
      <Composer
        conversationId={conversationId}
        onSend={(draft) => void send(draft)}
        isAnswering={answer !== undefined}
        onStop={canStop ? () => void stop(answer.id) : undefined}
        {...ai}
        hasInitialFocus={hasInitialFocus}
      />
    </>
  )
}
