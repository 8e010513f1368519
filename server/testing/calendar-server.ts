import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'

/**
 * A server with a calendar file at a secret address. By default it answers with the file, or with 304 for the version that a client has.
 */
export type CalendarServer = AsyncDisposable & {
  /** The beginning of the addresses of calendars. The name of a calendar follows. */
  url: string
  requests: { path: string; headers: IncomingHttpHeaders }[]
  setFile: (file: string) => void
  /** Sets the function that responds to further requests. Without one, the server responds with the file. */
  setRespond: (respond: ((response: ServerResponse, path: string) => void) | undefined) => void
}

/** The part of the address that makes it secret. */
export const secretPath = 'private-4711'

/** Returns a calendar file with these events. `|` separates the lines of an event. */
export const toCalendar = (...events: string[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Example//Calendar//EN',
    ...events.flatMap((event) => event.split('|')),
    'END:VCALENDAR',
    '',
  ].join('\r\n')

/** Returns an event with these lines, which `|` separates. */
export const toEvent = (lines: string): string =>
  `BEGIN:VEVENT|${lines.includes('UID:') ? '' : 'UID:one@example.com|'}SUMMARY:Secret meeting|${lines}|END:VEVENT`

export async function startCalendarServer(): Promise<CalendarServer> {
  const requests: CalendarServer['requests'] = []
  let file = toCalendar()
  let respond: ((response: ServerResponse, path: string) => void) | undefined
  const server = createServer((request, response) => {
    const { url: path = '', headers } = request
    requests.push({ path, headers })
    if (respond) return respond(response, path)
    const etag = `"${createHash('sha256').update(file).digest('hex')}"`
    if (headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end()
    response.writeHead(200, { 'content-type': 'text/calendar', etag, 'last-modified': 'Mon, 23 Nov 2026 08:00:00 GMT' }).end(file)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/${secretPath}/`,
    requests,
    setFile: (newFile) => {
      file = newFile
    },
    setRespond: (newRespond) => {
      respond = newRespond
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
