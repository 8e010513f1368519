import * as z from 'zod/mini'
import { OutboundFailure } from '../outbound/outbound.ts'
import { AiFailure } from './failure.ts'
import { generate, type Outcome } from './generate.ts'
import { makeImage, type Fetches } from './make-image.ts'
import { listModels } from './models.ts'
import { requestJson } from './request.ts'
import type { Ai, Capabilities, Connection, Tool } from './types.ts'

type Probe = Awaited<ReturnType<Ai['probe']>>

/** These times are long, because the first request to a local model loads it into memory. */
const limits = { firstMs: 60_000, chunkMs: 30_000, totalMs: 90_000, maxSteps: 1 }
const unknownCapabilities: Capabilities = { tools: null, structured_output: null, vision: null, images: null }

/**
 * Tries a connection: asks the model for a call of a tool, for JSON of a schema and for the color of a picture, and makes a picture if
 * there is a model for pictures. It uses some hundred tokens and one picture. After a temporary failure it stays unknown what the model can
 * do.
 */
export async function probe(fetches: Fetches, { imageModel, ...tested }: Omit<Connection, 'capabilities'>): Promise<Probe> {
  const connection: Connection = { ...tested, imageModel, capabilities: unknownCapabilities }
  const listFailure = await listModels(fetches.endpoint, connection).then(() => undefined, asFailure)
  if (listFailure && (listFailure.reason === 'key' || listFailure.cause instanceof OutboundFailure)) return fail(listFailure)
  const withTools = await askForTool(fetches, connection)
  if (withTools.isTemporary) return fail(toFailure(withTools))
  const hasTools = withTools.hasCalledTool
  if (withTools.failure !== undefined) {
    const plain = await generate(fetches.endpoint, connection, { instructions: 'Answer with one word.', messages: hello, limits })
    if (plain.failure !== undefined) return fail(listFailure?.reason === 'address' ? listFailure : toFailure(plain))
  }
  const [structure, sight, imageFailure] = await Promise.all([
    tryStructure(fetches, connection),
    trySight(fetches, connection),
    imageModel === undefined ? undefined : findImageFailure(fetches, connection),
  ])
  const isUnknown = imageModel === undefined || (imageFailure !== undefined && imageFailure.reason !== 'no_pictures')
  const images = isUnknown ? null : imageFailure === undefined
  const capabilities = { tools: hasTools, structured_output: structure.isAble, vision: sight.isAble, images }
  if (!hasTools) return { ...fail(new AiFailure('no_tools', noToolsSentence)), capabilities }
  if (imageFailure) return { ...fail(new AiFailure('no_pictures', imageFailure.message)), capabilities }
  const failure = structure.failure ?? sight.failure
  return failure ? { ...fail(failure), capabilities } : { ...success, capabilities }
}

/** Whether the model can do something; unknown after a temporary failure. */
type Finding = { isAble: boolean; failure?: undefined } | { isAble: null; failure: AiFailure }

const noToolsSentence = 'This model cannot use tools, so the assistant can answer with it but cannot look anything up or propose changes.'
const success = { failure: undefined, problem: '' }
const hello = [{ role: 'user' as const, text: 'Say hello.' }]

const fail = ({ reason, message }: AiFailure): Probe => ({ failure: reason, problem: message, capabilities: unknownCapabilities })
const toFailure = ({ failure = 'failed', problem }: Outcome): AiFailure => new AiFailure(failure, problem)
const asFailure = (error: unknown): AiFailure => (error instanceof AiFailure ? error : new AiFailure('failed'))

async function askForTool({ endpoint }: Fetches, connection: Connection): Promise<Outcome & { hasCalledTool: boolean }> {
  let hasCalledTool = false
  const tool: Tool = {
    name: 'report_ready',
    description: 'Reports that you are ready.',
    inputSchema: z.object({ ready: z.boolean() }),
    run: async () => {
      hasCalledTool = true
      return 'thank you'
    },
  }
  const outcome = await generate(endpoint, connection, {
    instructions: 'Use the tools that you have.',
    messages: [{ role: 'user', text: 'Call the tool report_ready with ready = true.' }],
    tools: [tool],
    limits,
  })
  return hasCalledTool ? { ...outcome, hasCalledTool, failure: undefined, isTemporary: false } : { ...outcome, hasCalledTool }
}

const ChatResponse = z.looseObject({
  choices: z.array(z.looseObject({ message: z.looseObject({ content: z.optional(z.nullable(z.string())) }) })),
})
const Sum = z.object({ sum: z.number() })

async function tryStructure({ endpoint }: Fetches, connection: Connection): Promise<Finding> {
  try {
    const schema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'], additionalProperties: false }
    const { choices } = await requestJson(endpoint, connection, {
      path: '/chat/completions',
      body: {
        model: connection.model,
        messages: [{ role: 'user', content: 'What is the sum of 2 and 3?' }],
        temperature: 0,
        response_format: { type: 'json_schema', json_schema: { name: 'sum', strict: true, schema } },
      },
      schema: ChatResponse,
      timeoutMs: limits.totalMs,
      maxBytes: 1024 ** 2,
    })
    return { isAble: Sum.safeParse(JSON.parse(choices[0]?.message.content ?? '')).success }
  } catch (error) {
    return error instanceof AiFailure && error.isTemporary ? { isAble: null, failure: error } : { isAble: false }
  }
}

/** A red square of 64 x 64 pixels. It is not made with `sharp`, which cannot be loaded on every machine. */
const redPicture = {
  bytes: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAS0lEQVR42u3PQQkAAAgAsetfWiP4FgYrsKZeS0BAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEDgsqnc8OJg6Ln3AAAAAElFTkSuQmCC',
    'base64',
  ),
  mimeType: 'image/png',
}

async function trySight({ endpoint }: Fetches, connection: Connection): Promise<Finding> {
  const messages = [{ role: 'user' as const, text: 'Which color has this picture?', pictures: [redPicture] }]
  const outcome = await generate(endpoint, connection, { instructions: 'Answer with one English word.', messages, limits })
  if (/\bred\b/i.test(outcome.text)) return { isAble: true }
  return outcome.isTemporary ? { isAble: null, failure: toFailure(outcome) } : { isAble: false }
}

/** Returns why the model for pictures made no picture; undefined if it made one. */
async function findImageFailure(fetches: Fetches, connection: Connection): Promise<AiFailure | undefined> {
  try {
    await makeImage(fetches, connection, { prompt: 'A red circle' })
    return undefined
  } catch (error) {
    const failure = asFailure(error)
    if (failure.isTemporary) return failure // with its own message, because it says nothing about the model
    return new AiFailure('no_pictures', 'The model for pictures makes no pictures.')
  }
}
