import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'

type Message = { headers: Record<string, string>; body: string }

/** A server that receives webhooks. By default it answers with status 204. */
export type WebhookReceiver = AsyncDisposable & {
  url: string
  messages: Message[]
  /** Sets the function that responds to further messages. */
  setRespond: (respond: (response: ServerResponse, message: Message) => void) => void
}

export async function startWebhookReceiver(port = 0): Promise<WebhookReceiver> {
  const messages: Message[] = []
  let respond = (response: ServerResponse, _message: Message): void => void response.writeHead(204).end()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const message = { headers, body: Buffer.concat(chunks).toString() }
      messages.push(message)
      respond(response, message)
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/webhook`,
    messages,
    setRespond: (newRespond) => {
      respond = newRespond
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
