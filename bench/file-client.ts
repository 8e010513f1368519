// Sends the uploads and downloads of the benchmark to the product and to the bare file server. Both get the same requests.
import { randomBytes } from 'node:crypto'
import { Agent, request, type IncomingMessage } from 'node:http'
import { partBytes } from '#contract/uploads.ts'

/** A server that is measured. The product gets the token of an owner. */
export type Server = { port: number; token?: string }

const parallelParts = 3
const agent = new Agent({ keepAlive: true, maxSockets: 6 }) // as many as a browser opens
/** The content of every uploaded part: 8 MiB. */
const part = randomBytes(partBytes)

/** Uploads a file of `partCount` full parts, three at a time. `pathOf` returns the path of a request by the number of its part. */
export async function sendParts(server: Server, partCount: number, pathOf: (number: number) => string): Promise<void> {
  const parts = Array.from({ length: partCount }, () => part)
  await sendBodies(server, 'PUT', parts, pathOf, parallelParts)
}

/** Sends each of the bodies in a request of its own, `parallel` at a time. `pathOf` returns the path by the index of the body. */
export async function sendBodies(
  server: Server,
  method: 'PUT' | 'POST',
  bodies: readonly Buffer[],
  pathOf: (index: number) => string,
  parallel: number,
): Promise<void> {
  const remaining = bodies.entries() // one iterator for all senders, so that each body is sent once
  const sendRemaining = async (): Promise<void> => {
    for (const [index, body] of remaining) {
      const response = await send(server, method, pathOf(index), body)
      response.resume()
    }
  }
  await Promise.all(Array.from({ length: parallel }, sendRemaining))
}

/** Downloads a file, counts its bytes without storing them, and returns their number. */
export async function download(server: Server, path: string): Promise<number> {
  let bytes = 0
  for await (const chunk of await send(server, 'GET', path)) bytes += chunk.byteLength
  return bytes
}

/** Sends a request with JSON and returns the JSON of the response. */
export async function sendJson(server: Server, method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
  const chunks: Uint8Array[] = []
  for await (const chunk of await send(server, method, path, body && Buffer.from(JSON.stringify(body)), 'application/json'))
    chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString())
}

function send(
  { port, token }: Server,
  method: string,
  path: string,
  body?: Buffer,
  type = 'application/octet-stream',
): Promise<IncomingMessage> {
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body && { 'content-type': type, 'content-length': body.byteLength }),
  }
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent }, (response) => {
      const { statusCode = 0 } = response
      if (statusCode >= 300) reject(new Error(`${method} ${path} returned ${statusCode}`))
      else resolve(response)
    })
    outgoing.once('error', reject).end(body)
  })
}
