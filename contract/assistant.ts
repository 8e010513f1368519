import * as z from 'zod/mini'
import { exampleId } from './examples.ts'
import { maxReferences } from './messageLimits.ts'
import { kindNames, recordKinds } from './kinds.ts'
import { wholeNumber } from './numbers.ts'
import { Instant, multilineText, requiredText } from './fields.ts'
import { systemFields, Version } from './records.ts'
import { defineRoutes } from './route.ts'

/** A record that a message or a step refers to. */
export const Reference = z.object({ kind: z.enum(kindNames), id: z.uuid(), title: z.string() })
export type Reference = z.infer<typeof Reference>

/** The changes that the owner allows in a conversation without a confirmation, such as "update deal". Deletions always need one. */
const AllowedChange = z.string().check(z.regex(new RegExp(`^(create|update|tag) (${kindNames.join('|')})$`)))

export const Conversation = z.object({
  ...systemFields,
  title: z.string(),
  allowed_changes: z.array(z.string()),
})
export type Conversation = z.infer<typeof Conversation>

/** A conversation in the list. `is_answering`: an answer is being written. */
export const ConversationRow = z.extend(Conversation, { last_message_at: Instant, is_answering: z.boolean() })
export type ConversationRow = z.infer<typeof ConversationRow>

/**
 * The state of a message. Messages of the user are `done`. `streaming`: the answer is being written. `stopped`: by the user.
 * `interrupted`: the answer ended too early; its text is kept. `cut`: the model reached its limit of tokens. `too_many_steps`: the model
 * asked for too many tools. `failed`: there is no text.
 */
const messageStates = ['streaming', 'done', 'stopped', 'interrupted', 'cut', 'too_many_steps', 'failed'] as const
const MessageState = z.enum(messageStates)

/**
 * What the assistant did while it wrote an answer, such as "Searched deals". `at` is the length of the answer's text at this moment, in
 * UTF-16 code units. `count`: the number of records that were found; null if the step does not count. `list`: the list that shows all of
 * them. `records`: those that the model has read, at most 20.
 */
export const Step = z.object({
  at: z.int(),
  text: z.string(),
  count: z.nullable(z.int()),
  kind: z.nullable(z.enum(kindNames)),
  list: z.nullable(z.object({ kind: z.enum(kindNames), search: z.string(), filter: z.array(z.unknown()) })),
  records: z.array(Reference),
  /** True if the step failed. The model has received the reason. */
  is_failed: z.boolean(),
})
export type Step = z.infer<typeof Step>

/** A file that an answer contains. */
export const MessageFile = z.object({ id: z.uuid(), file_name: z.string(), mime_type: z.string(), file_size: z.int() })
export type MessageFile = z.infer<typeof MessageFile>

export const Message = z.object({
  id: z.uuid(),
  conversation_id: z.uuid(),
  created_at: Instant,
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  state: MessageState,
  /** Why the answer is not complete, as a sentence for the user; empty for complete answers. */
  problem: z.string(),
  steps: z.array(Step),
  /** The records that the user attached, which may be files of the workspace. */
  references: z.array(Reference),
  /** The files that the answer contains. */
  files: z.array(MessageFile),
  proposal_id: z.nullable(z.uuid()),
  /** Null if the endpoint did not report them. */
  input_tokens: z.nullable(z.int()),
  output_tokens: z.nullable(z.int()),
  /** In US dollars; null if no price is set. */
  cost: z.nullable(z.number()),
})
export type Message = z.infer<typeof Message>

/** An event of an answer: text that begins at the offset `at`, a step, or the complete message at the end. */
export const AnswerEvent = z.union([
  z.object({ type: z.literal('text'), at: z.int(), text: z.string() }),
  z.object({ type: z.literal('step'), index: z.int(), step: Step }),
  z.object({ type: z.literal('end'), message: Message }),
])
export type AnswerEvent = z.infer<typeof AnswerEvent>

/** The maximum length of a message of the user, in characters. */
export const maxMessageCharacters = 20_000

const messageFields = {
  content: multilineText.check(z.minLength(1, 'Type a message')),
  references: z._default(
    z
      .array(z.strictObject({ kind: z.enum(kindNames), id: z.uuid() }))
      .check(z.maxLength(maxReferences, `At most ${maxReferences} records`)),
    [],
  ),
  /** The IANA time zone of the browser. */
  timezone: z._default(z.string().check(z.maxLength(64)), 'UTC'),
  /** The record or the list that the user sees beside the conversation. */
  open_record: z.optional(z.strictObject({ kind: z.enum(kindNames), id: z.uuid() })),
  open_list: z.optional(z.strictObject({ kind: z.enum(kindNames), search: z.string(), filter: z.array(z.unknown()) })),
}

const NewId = z.uuidv7('Send a UUID of version 7')

/** A message of the user. The client chooses the ids, so that a repeated request neither adds the message nor starts the answer twice. */
export const NewMessage = z
  .strictObject({ id: NewId, answer_id: NewId, ...messageFields })
  .check(z.refine(({ id, answer_id }) => id !== answer_id, { path: ['answer_id'], error: 'Send two different ids' }))
export type NewMessage = z.output<typeof NewMessage>

const Id = z.strictObject({ id: z.uuid() })
const notARecord = { noUndo: 'A message is no record: it is deleted and restored with its conversation.' }

export const conversationRoutes = defineRoutes({
  list: {
    method: 'GET',
    path: '/api/conversations',
    summary: 'The conversations, sorted by their newest message. The search finds words of titles and messages',
    caller: 'user',
    changes: 'nothing',
    query: z.strictObject({
      search: z._default(z.string().check(z.maxLength(200)), ''),
      after: z.optional(z.string().check(z.maxLength(2000))),
      limit: z._default(wholeNumber({ min: 1, max: 200 }), 50),
    }),
    out: z.object({ rows: z.array(ConversationRow), next: z.nullable(z.string()) }),
    example: { query: { search: 'shelves' } },
  },
  get: {
    method: 'GET',
    path: '/api/conversations/{id}',
    summary: 'One conversation',
    caller: 'user',
    changes: 'nothing',
    params: Id,
    out: Conversation,
    example: { params: { id: exampleId(recordKinds.conversation.singular) } },
  },
  create: {
    method: 'POST',
    path: '/api/conversations',
    summary: 'Start a conversation',
    caller: 'user',
    changes: 'journaled',
    body: z.strictObject({ id: z.optional(NewId), title: requiredText('title', 200) }),
    out: Conversation,
    status: 201,
    responseIfRepeated: { fromRoute: 'get', idFrom: 'record' },
    example: { body: { title: 'Quiet deals' } },
  },
  update: {
    method: 'PATCH',
    path: '/api/conversations/{id}',
    summary: 'Rename a conversation, or set the changes that need no confirmation in it',
    caller: 'user',
    changes: 'journaled',
    params: Id,
    body: z.strictObject({
      title: z.optional(requiredText('title', 200)),
      allowed_changes: z.optional(z.array(AllowedChange).check(z.maxLength(100))),
      version: Version,
    }),
    out: Conversation,
    responseIfRepeated: { fromRoute: 'get' },
    errors: ['conflict'],
    example: { params: { id: exampleId('conversation') }, body: { title: 'Deals of November' } },
  },
  delete: {
    method: 'DELETE',
    path: '/api/conversations/{id}',
    summary: 'Delete a conversation; it stays in the trash for 30 days',
    caller: 'user',
    changes: 'journaled',
    params: Id,
    example: { params: { id: exampleId('conversation') } },
  },
})

export const messageRoutes = defineRoutes({
  list: {
    method: 'GET',
    path: '/api/conversations/{id}/messages',
    summary: 'The newest messages of a conversation, the oldest of them first',
    caller: 'user',
    changes: 'nothing',
    params: Id,
    query: z.strictObject({ before: z.optional(z.uuid()), limit: z._default(wholeNumber({ min: 1, max: 200 }), 100) }),
    out: z.object({ rows: z.array(Message), has_more: z.boolean() }),
    example: { params: { id: exampleId('conversation') } },
  },
  get: {
    method: 'GET',
    path: '/api/messages/{id}',
    summary: 'One message',
    caller: 'user',
    changes: 'nothing',
    params: Id,
    out: Message,
    example: { params: { id: exampleId('message') } },
  },
  send: {
    method: 'POST',
    path: '/api/conversations/{id}/messages',
    summary: 'Add a message and start its answer. May be repeated with the same ids',
    caller: 'user',
    changes: notARecord,
    params: Id,
    body: NewMessage,
    out: z.object({ message: Message, answer: Message }),
    status: 201,
    errors: ['ai_off', 'ai_limit', 'answer_running'],
    example: {
      params: { id: exampleId('conversation') },
      body: { id: '01930000-0000-7000-8000-0000000000a1', answer_id: '01930000-0000-7000-8000-0000000000a2', content: 'Who is new?' },
    },
  },
  edit: {
    method: 'POST',
    path: '/api/messages/{id}/edit',
    summary: 'Replace a message of the user and everything after it, and start a new answer',
    caller: 'user',
    changes: notARecord,
    params: Id,
    body: NewMessage,
    out: z.object({ message: Message, answer: Message }),
    status: 201,
    errors: ['ai_off', 'ai_limit', 'answer_running'],
    example: {
      params: { id: exampleId('message') },
      body: { id: '01930000-0000-7000-8000-0000000000a3', answer_id: '01930000-0000-7000-8000-0000000000a4', content: 'Who is new today?' },
    },
  },
  retry: {
    method: 'POST',
    path: '/api/messages/{id}/retry',
    summary: 'Replace an answer and everything after it by a new answer',
    caller: 'user',
    changes: notARecord,
    params: Id,
    body: z.strictObject({ answer_id: NewId, timezone: messageFields.timezone }),
    out: Message,
    status: 201,
    errors: ['ai_off', 'ai_limit', 'answer_running'],
    example: { params: { id: exampleId('answer') }, body: { answer_id: '01930000-0000-7000-8000-0000000000a5' } },
  },
  stop: {
    method: 'POST',
    path: '/api/messages/{id}/stop',
    summary: 'Stop writing an answer',
    caller: 'user',
    changes: notARecord,
    params: Id,
    example: { params: { id: exampleId('answer') } },
  },
  follow: {
    method: 'GET',
    path: '/api/messages/{id}/events',
    summary: 'The text and the steps of an answer from an offset on, until it is complete',
    caller: 'user',
    changes: 'nothing',
    params: Id,
    query: z.strictObject({
      /** The length of the text that the client has, in UTF-16 code units. */
      from: z._default(wholeNumber({ min: 0, max: 10_000_000 }), 0),
      /** The number of steps that the client has. */
      steps: z._default(wholeNumber({ min: 0, max: 1000 }), 0),
    }),
    eventList: AnswerEvent,
    example: { params: { id: exampleId('answer') } },
  },
})
