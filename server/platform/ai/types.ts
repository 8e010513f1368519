import type * as z from 'zod/mini'

/** What a model can do, as probed; null if it was not probed, or if the probe failed temporarily. */
export type Capabilities = {
  tools: boolean | null
  structured_output: boolean | null
  vision: boolean | null
  images: boolean | null
}

/** An OpenAI-compatible endpoint and the models to use. `key` is in clear text. `baseUrl` usually ends in `/v1`. */
export type Connection = {
  baseUrl: string
  key: string | undefined
  model: string
  imageModel: string | undefined
  capabilities: Capabilities
}

/** The bytes of a picture. */
export type Picture = { bytes: Uint8Array; mimeType: string }

/**
 * Tokens as the endpoint reported them; undefined if it did not. `characters`: the number of characters that were sent and received without
 * such a report, for example because the answer was stopped.
 */
export type TokenUse = { inputTokens: number | undefined; outputTokens: number | undefined; characters?: number }

/**
 * A message to the model. `modelMessages` are the messages that `generate` returned for an earlier answer, with its calls of tools; they
 * are JSON and may be stored.
 */
export type ChatMessage =
  | { role: 'user'; text: string; pictures?: readonly Picture[] }
  | { role: 'assistant'; text: string; modelMessages?: readonly unknown[] }

/**
 * A tool that the model may call. `run` gets input that matches the schema, and returns JSON that the model reads. The message of an
 * error that it throws is sent to the model unchanged, so it must be a sentence that the user may see. Tools of one answer run one after
 * the other.
 */
export type Tool = {
  name: string
  description: string
  inputSchema: z.ZodMiniType
  run(input: unknown, signal: AbortSignal): Promise<unknown>
}

/** Limits of an answer, explained in `generate.ts` with their defaults. */
export type AnswerLimits = Partial<{
  firstMs: number
  chunkMs: number
  totalMs: number
  toolMs: number
  maxSteps: number
  maxCharacters: number
}>

export type AnswerRequest = {
  instructions: string
  messages: readonly ChatMessage[]
  tools?: readonly Tool[]
  /** Aborting it stops the answer, whose state is then `stopped`. */
  signal?: AbortSignal
  onText?: (text: string) => void
  limits?: AnswerLimits
}

/**
 * The outcome of an answer, with the text that has arrived. `problem` is a sentence for the user; it is empty if the answer is complete or
 * was stopped.
 */
export type Answer = {
  text: string
  state: 'done' | 'stopped' | 'interrupted' | 'cut' | 'too_many_steps' | 'failed'
  problem: string
  modelMessages: readonly unknown[]
  use: TokenUse
  /** Why the answer is not complete. */
  failure?: AiFailureReason | undefined
}

/** Why a call of the AI failed. `failure.ts` has the sentence for each reason, which users see. */
export type AiFailureReason =
  | 'address'
  | 'key'
  | 'model'
  | 'limit'
  | 'no_answer'
  | 'no_tools'
  | 'no_pictures'
  | 'empty'
  | 'unusable'
  | 'failed'

export type ModelRequest = { signal?: AbortSignal }

/** The AI port: all calls of AI endpoints. The port sends its requests with `outbound.ts`, which checks every address. */
export type Ai = {
  /** Answers a conversation. Never throws. */
  generate: (connection: Connection, request: AnswerRequest) => Promise<Answer>
  /**
   * Reads a value of the schema from a text. The endpoint needs no structured output. `onUse` is called for each answer of the model, also
   * for those that are not valid. Throws `AiFailure`.
   */
  extract: <T>(
    connection: Connection,
    request: ModelRequest & {
      schema: z.ZodMiniType<T>
      instructions: string
      text: string
      pictures?: readonly Picture[]
      onUse?: (use: TokenUse) => void
    },
  ) => Promise<{ value: T; use: TokenUse }>
  /** Answers one text, perhaps with pictures, without tools. `onUse` is called also if the answer breaks off. Throws `AiFailure`. */
  complete: (
    connection: Connection,
    request: ModelRequest & { instructions: string; text: string; pictures?: readonly Picture[]; onUse?: (use: TokenUse) => void },
  ) => Promise<{ text: string; use: TokenUse }>
  /** Makes a picture with `imageModel`. Throws `AiFailure`. */
  makeImage: (connection: Connection, request: ModelRequest & { prompt: string }) => Promise<{ picture: Picture; use: TokenUse }>
  /** Returns the names of the endpoint's models. Throws `AiFailure`. */
  listModels: (endpoint: Pick<Connection, 'baseUrl' | 'key'>) => Promise<string[]>
  /**
   * Tries the connection. `failure` is undefined if the model uses tools and, with an `imageModel`, makes a picture, and if it is known what
   * else it can do. Never throws.
   */
  probe: (connection: Omit<Connection, 'capabilities'>) => Promise<{
    failure: AiFailureReason | undefined
    problem: string
    capabilities: Capabilities
  }>
  /** Returns the AI servers that run on this machine. Never throws. */
  findLocalServers: () => Promise<{ name: string; baseUrl: string; models: string[] }[]>
}
