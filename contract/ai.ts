import * as z from 'zod/mini'
import { defineRoutes } from './route.ts'

/**
 * What a model can do, as a test of the model has shown. `vision`: the model reads pictures. `images`: the image model makes pictures. A
 * value is null if it was not tested, or if the service was busy or gave no answer.
 */
export const Capabilities = z.object({
  tools: z.nullable(z.boolean()),
  structured_output: z.nullable(z.boolean()),
  vision: z.nullable(z.boolean()),
  images: z.nullable(z.boolean()),
})
export type Capabilities = z.infer<typeof Capabilities>

const BaseUrl = z.string().check(
  z.trim(),
  z.maxLength(500, 'At most 500 characters'),
  z.url({ protocol: /^https?$/, error: 'Enter an address like https://ai.example/v1' }),
  // the address is shown on screens, so it must not contain a password or a key
  z.regex(/^[^@?#]*$/, 'Enter the address without a password, ? or #'),
)
const Key = z.string().check(
  z.trim(),
  z.maxLength(500, 'At most 500 characters'),
  // an HTTP header cannot contain other characters, such as those that are copied together with a key from a formatted text
  z.regex(/^[\x21-\x7e]*$/, 'Enter the key without spaces or special characters'),
)
const ModelName = z.string().check(z.trim(), z.maxLength(200, 'At most 200 characters'))
/** The price of a million tokens in US dollars. */
const Price = z.nullable(z.number().check(z.gte(0, 'At least 0'), z.lte(100_000, 'This is too much')))

/**
 * The AI connection of the owner. `source`: `off` if there is none, `operator` if the operator has set it for all owners, `own` if the
 * owner has set it, which takes precedence. The address and key of the operator's connection are not shown.
 */
export const AiConnection = z.object({
  source: z.enum(['off', 'operator', 'own']),
  base_url: z.string(),
  /** `lost`: the key cannot be decrypted, because the key of the installation was replaced. It must be entered again. */
  key_state: z.enum(['none', 'stored', 'lost']),
  /** The last four characters of the stored key, which is never sent back; empty if the key is short. */
  key_end: z.string(),
  model: z.string(),
  /** The model for pictures; empty if there is none. */
  image_model: z.string(),
  capabilities: Capabilities,
  input_price: z.nullable(z.number()),
  output_price: z.nullable(z.number()),
  /** True if the operator has set a connection. It is used when the owner has none. */
  has_operator_connection: z.boolean(),
})
export type AiConnection = z.infer<typeof AiConnection>

const connectionFields = {
  base_url: BaseUrl,
  /**
   * Undefined means the stored key if `base_url` has the same origin as the stored address, and otherwise no key. Empty means no key, for
   * example for servers on this machine.
   */
  key: z.optional(Key),
  model: ModelName.check(z.minLength(1, 'Choose a model')),
  image_model: z._default(ModelName, ''),
}

/** The connection that an owner sets. */
export const NewAiConnection = z
  .strictObject({
    ...connectionFields,
    input_price: z._default(Price, null),
    output_price: z._default(Price, null),
  })
  .check(
    z.refine(({ input_price, output_price }) => input_price === null || output_price !== null, {
      path: ['output_price'],
      error: 'Enter both prices, or none',
    }),
    z.refine(({ input_price, output_price }) => output_price === null || input_price !== null, {
      path: ['input_price'],
      error: 'Enter both prices, or none',
    }),
  )
export type NewAiConnection = z.output<typeof NewAiConnection>

/** A connection to test, which need not be saved. */
export const ConnectionToTest = z.strictObject(connectionFields)
export type ConnectionToTest = z.input<typeof ConnectionToTest>

/** How much the owner used the AI in a month. */
export const AiUsage = z.object({
  /** The first day of the month. */
  month: z.iso.date(),
  answers: z.int(),
  images: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  /** In US dollars; null if no price is set. */
  cost: z.nullable(z.number()),
  /** The tokens used today. If there is a limit per day, only the tokens that count towards it. */
  tokens_today: z.int(),
  /** The limit; null if there is none. */
  tokens_per_day: z.nullable(z.int()),
})
export type AiUsage = z.infer<typeof AiUsage>

/** The reasons for which a request to an endpoint fails. */
const endpointFailures = [
  'address',
  'key',
  'model',
  'limit',
  'no_answer',
  'no_tools',
  'no_pictures',
  'empty',
  'unusable',
  'failed',
] as const

/** `problem` is the sentence for the user. Both are null if the endpoint has answered. */
const outcome = { failure: z.nullable(z.enum(endpointFailures)), problem: z.nullable(z.string()) }

export const aiRoutes = defineRoutes({
  get: {
    method: 'GET',
    path: '/api/ai',
    summary: 'The AI connection of the owner, without its key',
    caller: 'user',
    isForSessionsOnly: true,
    changes: 'nothing',
    out: AiConnection,
    example: {},
  },
  save: {
    method: 'PUT',
    path: '/api/ai',
    summary: 'Set the own AI connection of the owner',
    caller: 'user',
    isForSessionsOnly: true,
    changes: { noUndo: 'Only the newest key is stored, so an earlier key cannot come back.' },
    body: NewAiConnection,
    out: AiConnection,
    example: { body: { base_url: 'https://ai.example/v1', key: 'a-key', model: 'small' } },
  },
  remove: {
    method: 'DELETE',
    path: '/api/ai',
    summary: 'Remove the own AI connection of the owner',
    caller: 'user',
    isForSessionsOnly: true,
    changes: { noUndo: 'The key is deleted.' },
    example: {},
  },
  usage: {
    method: 'GET',
    path: '/api/ai/usage',
    summary: 'How much the owner used the AI in the current month, in the time zone of the owner',
    caller: 'user',
    isForSessionsOnly: true,
    changes: 'nothing',
    out: AiUsage,
    example: {},
  },
})

/** Routes that ask an endpoint before its connection is saved. A stored key is only sent to the origin for which it was stored. */
export const aiEndpointRoutes = defineRoutes({
  models: {
    method: 'POST',
    path: '/api/ai/models',
    summary: 'The models of an endpoint',
    caller: 'user',
    isForSessionsOnly: true,
    changes: { noUndo: 'Nothing is stored. The endpoint may charge for the request.' },
    body: z.strictObject({ base_url: BaseUrl, key: z.optional(Key) }),
    out: z.object({ ...outcome, models: z.array(z.string()) }),
    maxRequestsIn15Minutes: { perIdentity: 60 },
    example: { body: { base_url: 'https://ai.example/v1', key: 'a-key' } },
  },
  test: {
    method: 'POST',
    path: '/api/ai/test',
    summary: 'Try a connection and find out what its model can do',
    caller: 'user',
    isForSessionsOnly: true,
    changes: { noUndo: 'Nothing is stored. The endpoint may charge for the request.' },
    body: ConnectionToTest,
    out: z.object({ ...outcome, capabilities: Capabilities }),
    maxRequestsIn15Minutes: { perIdentity: 60 },
    example: { body: { base_url: 'https://ai.example/v1', key: 'a-key', model: 'small' } },
  },
  local: {
    method: 'GET',
    path: '/api/ai/local',
    summary: 'The AI servers that run on the machine of this server',
    caller: 'user',
    isForSessionsOnly: true,
    changes: 'nothing',
    out: z.object({ servers: z.array(z.object({ name: z.string(), base_url: z.string(), models: z.array(z.string()) })) }),
    example: {},
  },
})
