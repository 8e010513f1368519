import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconChevronDown, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { lazyPart } from '#web/lib/lazyPart.ts'
import { PageBar } from '#web/ui/PageBar.tsx'
import classes from './AssistantPage.module.css'
import { Chat } from './chat/Chat.tsx'
import { ConversationList } from './conversations/ConversationList.tsx'
import { conversationQuery } from './conversations/queries.ts'
import { openImageDialog } from './images/imageDialog.ts'
import { ImageDialogSlot } from './images/ImageDialogSlot.tsx'

const ConversationSheet = lazyPart(() => import('./conversations/ConversationSheet.tsx').then((module) => module.ConversationSheet))

/** On this page no record and no list is open beside the conversation. */
const getContext = () => ({})

/** The page of the assistant: the conversations at the left, and the messages of the open one. On phones the title opens the list. */
export function AssistantPage() {
  const { id } = useParams({ strict: false })
  const navigate = useNavigate()
  const router = useRouter()
  const isPhone = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  const [isSheetOpen, setSheetOpen] = useState(false)
  const { data: conversation } = useQuery({ ...conversationQuery(id ?? ''), enabled: id !== undefined })
  const title = (id === undefined ? undefined : conversation?.title) ?? 'Assistant'
  const startNew = (): void => void navigate({ to: '/assistant' })
  const { image } = useSearch({ strict: false })
  useEffect(() => {
    if (image !== 'new') return
    openImageDialog()
    void navigate({ to: '.', search: {}, replace: true })
  }, [image, navigate])
  const leave = (failedId: string): void => {
    if (router.state.location.pathname === `/assistant/${failedId}`) void navigate({ to: '/assistant', replace: true })
  }
  const closeSheet = (): void => setSheetOpen(false)
  const openFromSheet = (openedId: string): void => {
    closeSheet()
    void navigate({ to: '/assistant/$id', params: { id: openedId } })
  }
  return (
    <>
      <div className={classes['bar']}>
        <PageBar
          title={isPhone ? title : 'Assistant'}
          tabTitle={title}
          titleButtons={
            isPhone && (
              <button type="button" className={classes['openList']} aria-label="Show chats" onClick={() => setSheetOpen(true)}>
                <IconChevronDown size={16} stroke={1.75} />
              </button>
            )
          }
          actions={
            <Button variant="filled" leftSection={<IconPlus size={16} stroke={1.75} />} disabled={id === undefined} onClick={startNew}>
              New chat
            </Button>
          }
        />
      </div>
      <div className={classes['columns']}>
        {!isPhone && (
          <div className={classes['conversations']}>
            <ConversationList openId={id} onDeleted={startNew} />
          </div>
        )}
        <div className={classes['chat']}>
          <Chat
            conversationId={id}
            getContext={getContext}
            onOpen={(newId) => void navigate({ to: '/assistant/$id', params: { id: newId }, replace: true })}
            onNotCreated={leave}
          />
        </div>
      </div>
      <ImageDialogSlot />
      {isSheetOpen && (
        <ConversationSheet openId={id} onOpen={openFromSheet} onDeleted={startNew} onClose={closeSheet} onLoadCancelled={closeSheet} />
      )}
    </>
  )
}
