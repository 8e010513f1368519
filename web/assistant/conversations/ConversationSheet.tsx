import '#web/ui/dialogs.css'
import { Drawer } from '@mantine/core'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import { ConversationList } from './ConversationList.tsx'
import classes from './ConversationSheet.module.css'

type ConversationSheetProps = { openId: string | undefined; onOpen: (id: string) => void; onDeleted: () => void; onClose: () => void }

/** The list of conversations on phones: a drawer that closes when a conversation is opened. */
export function ConversationSheet({ openId, onOpen, onDeleted, onClose }: ConversationSheetProps) {
  useReturnFocus()
  return (
    <Drawer
      opened
      onClose={onClose}
      position="bottom"
      size="calc(100dvh - 60px)"
      title="Chats"
      classNames={{ content: classes['sheet'] ?? '', body: classes['body'] ?? '' }}
    >
      <ConversationList openId={openId} onOpen={onOpen} onDeleted={onDeleted} />
    </Drawer>
  )
}
