// Conversations, messages and event streams for the tests of the assistant.
import type { AiConnection } from '#contract/ai.ts'
import type { AnswerEvent, ConversationRow, Message } from '#contract/assistant.ts'
import { nora } from '#web/testing.ts'

export const quietDeals: ConversationRow = {
  id: '01930000-0000-7000-8000-0000000000c1',
  title: 'Quiet deals and last contact',
  allowed_changes: [],
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
  version: 1,
  last_message_at: '2026-11-20T09:00:00.000Z',
  is_answering: false,
}
export const receptionDesk: ConversationRow = {
  ...quietDeals,
  id: '01930000-0000-7000-8000-0000000000c2',
  title: 'Imara and the reception desk',
}

const question: Message = {
  id: '01930000-0000-7000-8000-0000000000d1',
  conversation_id: quietDeals.id,
  created_at: '2026-11-20T09:00:00.000Z',
  role: 'user',
  content: 'Which open deals have gone quiet?',
  state: 'done',
  problem: '',
  steps: [],
  references: [],
  files: [],
  proposal_id: null,
  input_tokens: null,
  output_tokens: null,
  cost: null,
}

/** A message of the user in the conversation about quiet deals. */
export const makeQuestion = (fields: Partial<Message> = {}): Message => ({ ...question, ...fields })

/** A complete answer in the conversation about quiet deals. */
export const makeAnswer = (fields: Partial<Message> = {}): Message => ({
  ...question,
  id: '01930000-0000-7000-8000-0000000000d2',
  role: 'assistant',
  content: 'Four deals have gone quiet.',
  ...fields,
})

/** An event stream to which a test adds the events of an answer. */
export function openAnswerStream() {
  const encoder = new TextEncoder()
  let number = 0
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start: (opened) => {
      controller = opened
    },
  })
  const write = (text: string): void => controller?.enqueue(encoder.encode(text))
  return {
    response: new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    send: (event: AnswerEvent): void => write(`id: ${number++}\ndata: ${JSON.stringify(event)}\n\n`),
    write,
    /** Ends the stream properly. */
    end: (): void => {
      write('event: end\ndata: {}\n\n')
      controller?.close()
    },
    /** Ends the stream as a lost connection does. */
    lose: (): void => controller?.error(new TypeError('network error')),
  }
}

/** The requests that every screen of the assistant sends. */
export const assistantHandlers = {
  'GET /api/session': nora,
  'GET /api/tasks/count': { count: 0, more: false },
  'GET /api/conversations': { rows: [quietDeals, receptionDesk], next: null },
  'GET /api/conversations/{id}': quietDeals,
}

/** The text fields of the body of a request. */
export const readBody = (body: unknown): Record<string, string> => Object.fromEntries(Object.entries(Object(body)))

/** Responds to a new message as the server does: with the ids that the client has chosen. */
export const sendHandler = ({ params, body }: { params: Record<string, string>; body: unknown }): Response => {
  const { id = '', answer_id = '', content = '' } = readBody(body)
  const ids = { conversation_id: params['id'] ?? '' }
  return Response.json(
    { message: makeQuestion({ ...ids, id, content }), answer: makeAnswer({ ...ids, id: answer_id, content: '', state: 'streaming' }) },
    { status: 201 },
  )
}
/** Responds to the request for a new conversation with its values. */
export const createHandler = ({ body }: { body: unknown }): Response => Response.json({ ...quietDeals, ...readBody(body) }, { status: 201 })

/** The AI connection of the operator, whose models can do everything. */
export const operatorAi: AiConnection = {
  source: 'operator',
  base_url: 'https://ai.example/v1',
  key_end: '',
  key_state: 'stored',
  model: 'small',
  image_model: 'painter',
  capabilities: { tools: true, structured_output: true, vision: true, images: true },
  input_price: null,
  output_price: null,
  has_operator_connection: true,
}
