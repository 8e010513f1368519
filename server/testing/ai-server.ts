// A stand-in for an AI endpoint with OpenAI's wire format over HTTP: models, chat (streamed or not), pictures, and Ollama's list of models.
// `node server/testing/ai-server.ts --port 4999` runs it alone, for looking at the product.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Connection } from '#server/platform/ai/types.ts'
import { messageOf, partsOf, reportedUse, stepsOf, waitFor, type Reply } from './ai-reply.ts'
import { readAiRequest, type AiRequest } from './ai-request.ts'

export type AiServerOptions = {
  /** Decides the reply to a request. Undefined: a built-in reply, for looking at the product. */
  respond?: (request: AiRequest) => Reply | undefined | Promise<Reply | undefined>
  /** The only key that is accepted. By default any request is accepted, with or without a key. */
  key?: string
  models?: readonly string[]
  port?: number
  /** Whether answers report their tokens, if the request asks for it; true by default. */
  reportsUse?: boolean
}

export type AiServer = AsyncDisposable & {
  /** The base address, which ends in `/v1`. */
  baseUrl: string
  /** A connection to the stand-in. The abilities of its model are not known. */
  connection: Connection
  /** All requests, in the order of their arrival. */
  requests: AiRequest[]
  /** Changes the replies of later requests. */
  setRespond: (respond: AiServerOptions['respond']) => void
}

/** Starts the stand-in on this machine, on a free port unless the options name one. */
export async function startAiServer(options: AiServerOptions = {}): Promise<AiServer> {
  const { key, models = ['small', 'large', 'painter'], reportsUse = true } = options
  const requests: AiRequest[] = []
  const pictures: Uint8Array[] = []
  let { respond } = options

  const server = createServer((request, response) => {
    void handle(request, response).catch((error: unknown) => sendError(response, 500, String(error)))
  })

  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = message.url ?? '/'
    if (url === '/') return void response.end('Ollama is running')
    if (url === '/api/tags') return sendJson(response, 200, { models: models.map((name) => ({ name, model: name })) })
    if (url.startsWith('/pictures/')) return sendPicture(response, pictures[Number(url.slice('/pictures/'.length))])
    if (!url.startsWith('/v1/')) return sendError(response, 404, `There is no ${url}`)
    const json = await readText(message)
    const request = readOrRefuse(url.slice('/v1'.length), message, json)
    if (request instanceof Error) return sendError(response, 400, request.message)
    requests.push(request)
    response.on('close', () => {
      request.state = response.writableFinished ? 'answered' : 'closed by the client'
    })
    if (key !== undefined && message.headers.authorization !== `Bearer ${key}`)
      return sendError(response, 401, `Incorrect API key provided: ${message.headers.authorization}`, 'invalid_api_key')
    const chosen = await respond?.(request)
    if (chosen === undefined && request.path === '/models')
      return sendJson(response, 200, { object: 'list', data: models.map((id) => ({ id, object: 'model', created: 1, owned_by: 'foyer' })) })
    await sendReply(request, response, chosen ?? (await (await import('./ai-demo.ts')).demoReply(request)))
  }

  async function sendReply(request: AiRequest, response: ServerResponse, reply: Reply): Promise<void> {
    if (typeof reply === 'string') return replyToChat(request, response, reply, reportsUse)
    if ('isSilent' in reply) return
    if ('status' in reply) {
      response.writeHead(reply.status, reply.headers)
      return void response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body))
    }
    if (!('picture' in reply)) return replyToChat(request, response, reply, reportsUse)
    pictures.push(reply.picture)
    const image =
      reply.as === 'url'
        ? { url: `${origin}/pictures/${pictures.length - 1}` }
        : { b64_json: Buffer.from(reply.picture).toString('base64') }
    sendJson(response, 200, { created: 1, data: [image] })
  }

  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  const capabilities = { tools: null, structured_output: null, vision: null, images: null }
  return {
    baseUrl: `${origin}/v1`,
    connection: { baseUrl: `${origin}/v1`, key, model: 'small', imageModel: 'painter', capabilities },
    requests,
    setRespond: (newRespond) => {
      respond = newRespond
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function readOrRefuse(path: string, { headers }: IncomingMessage, json: string): AiRequest | Error {
  try {
    return readAiRequest(path, headers, json)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function replyToChat(
  request: AiRequest,
  response: ServerResponse,
  answer: Parameters<typeof partsOf>[0],
  reportsUse: boolean,
): Promise<void> {
  const { model, stream, stream_options } = request.body
  const parts = partsOf(answer)
  const closed = new AbortController()
  response.on('close', () => closed.abort())
  if (stream) response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  for (const step of stepsOf(parts, model, reportsUse && stream_options?.include_usage === true)) {
    if (closed.signal.aborted) return
    if ('ending' in step) return endAs(step.ending, response)
    if ('wait' in step) await waitFor(step.wait, closed.signal)
    else if (stream) await write(response, step.send, closed.signal)
  }
  if (stream) return void response.end()
  const { message, finish_reason } = messageOf(parts)
  const choices = [{ index: 0, message, finish_reason }]
  const usage = reportsUse ? reportedUse : undefined
  sendJson(response, 200, { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model, choices, usage })
}

function endAs(ending: 'cut' | 'end' | 'silence', response: ServerResponse): void {
  if (ending === 'cut') response.destroy()
  if (ending === 'end') response.end()
}

/** Writes text or bytes. Bytes leave in a packet of their own. */
async function write(response: ServerResponse, content: string | Uint8Array, closed: AbortSignal): Promise<void> {
  const hasRoom = response.write(content)
  if (typeof content !== 'string') await setImmediate()
  if (!hasRoom && !closed.aborted) await once(response, 'drain', { signal: closed }).catch(() => undefined)
}

function sendPicture(response: ServerResponse, picture: Uint8Array | undefined): void {
  if (!picture) return sendError(response, 404, 'There is no such picture')
  response.writeHead(200, { 'content-type': 'image/png' }).end(picture)
}

function sendError(response: ServerResponse, status: number, message: string, code: string | null = null): void {
  if (response.headersSent) return void response.destroy()
  sendJson(response, status, { error: { message, type: 'invalid_request_error', param: null, code } })
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '4999' } } })
  const { baseUrl } = await startAiServer({ port: Number(values.port) })
  console.log(`The stand-in of an AI endpoint is open at ${baseUrl}`)
}
