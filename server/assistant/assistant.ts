// Assistant: conversations with an AI that reads the workspace and proposes changes.
import { conversationRoutes, type Conversation } from '#contract/assistant.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { mount } from '#server/platform/http/mount.ts'
import { createRecordHandlers } from '#server/platform/records/handlers.ts'
import { listMessageFiles } from './files/takeout-files.ts'
import { deleteUnneededMessages, markInterruptedAnswers } from './cleaning.store.ts'
import { readConversations } from './conversations.store.ts'
import { mountChatFunction } from './chat-function.ts'
import { conversations } from './kind.ts'
import { mountProposals } from './proposals/proposals.ts'
import { mountMessages } from './messages/routes.ts'

/** For MCP, whose clients use the same tools. */
export { createDirectTools, type DirectTool } from './tools/direct.ts'

const minuteSeconds = 60
const daySeconds = 24 * 60 * 60

/** The columns of messages in the download of everything. The others are needed only while an answer is being written. */
const messageColumns = [
  'id',
  'created_at',
  'conversation_id',
  'number',
  'role',
  'content',
  'state',
  'problem',
  'steps',
  'refs',
  'proposal_id',
  'input_tokens',
  'output_tokens',
  'cost',
  'is_replaced',
]

export const assistantFeature: Feature = {
  kinds: [conversations],
  takeoutTables: [
    { table: 'messages', name: 'messages', columns: messageColumns },
    { table: 'message_files', name: 'message_files', columns: ['id', 'created_at', 'message_id', 'file_name', 'mime_type', 'file_size'] },
    { table: 'proposals', name: 'proposals' },
  ],
  listTakeoutFiles: listMessageFiles,
  webScreens: [{ path: '/assistant', module: 'web/assistant/screens.ts' }],
  mount: (router, context) => {
    const { get, create, update, delete: remove } = createRecordHandlers<Conversation, Conversation>(conversations, context)
    mount(router, conversationRoutes, {
      list: ({ caller, query }) => context.database.read(caller, () => readConversations(caller.owner, query, context.now())),
      get,
      create,
      update,
      delete: remove,
    })
    mountProposals(router, context)
    mountMessages(router, context)
    mountChatFunction(router, context)
  },
  schedules: (tableOwner, now) => [
    { name: 'interrupted answers', everySeconds: minuteSeconds, run: () => markInterruptedAnswers(tableOwner) },
    { name: 'unneeded messages', everySeconds: daySeconds, run: () => deleteUnneededMessages(tableOwner, now()) },
  ],
}
