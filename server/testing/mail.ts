import type { Socket } from 'node:net'
import { SMTPServer, type SMTPServerError } from 'smtp-server'

/** A received mail: the envelope, the raw message, the unfolded header lines and the text. */
type ReceivedMail = { from: string; to: string[]; source: string; headers: string[]; text: string }

/** What the server does with the next mails. `hang up before`: before it has received the mail; `hang up after`: before it confirms it. */
export type Manners = 'take' | 'hang up before' | 'hang up after' | { refuse: number; at: 'address' | 'message'; saying?: string }

export type MailServer = AsyncDisposable & {
  url: string
  received: ReceivedMail[]
  behave: (manners: Manners) => void
}

/** The account that may sign in. Signing in is optional. */
const account = { user: 'foyer', password: 'open sesame' }

/** Starts a mail server on a free port of this machine. */
export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  const hangUp = (): void => sockets.forEach((socket) => socket.destroy())
  let manners: Manners = 'take'
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) => {
      if (username === account.user && password === account.password) done(null, { user: username })
      else done(new Error('Invalid name or password'))
    },
    logger: false,
    onRcptTo: (_address, _session, done) => {
      if (manners === 'hang up before') hangUp()
      else done(refusalAt(manners, 'address'))
    },
    onData: (stream, { envelope }, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const refusal = refusalAt(manners, 'message')
        if (refusal) return done(refusal)
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), ...read(Buffer.concat(parts).toString()) })
        if (manners === 'hang up after') hangUp()
        else done()
      })
    },
  })
  server.on('error', () => {}) // an aborted connection is not a failure of the test
  server.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const port = await new Promise<number>((listening) => {
    const net = server.listen(0, '127.0.0.1', () => {
      const address = net.address()
      listening(typeof address === 'object' && address ? address.port : 0)
    })
  })
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    behave: (next) => {
      manners = next
    },
    [Symbol.asyncDispose]: async () => {
      hangUp()
      await new Promise<void>((closed) => server.close(closed))
    },
  }
}

function refusalAt(manners: Manners, at: 'address' | 'message'): SMTPServerError | undefined {
  if (typeof manners !== 'object' || manners.at !== at) return undefined
  return Object.assign(new Error(manners.saying ?? 'not today'), { responseCode: manners.refuse })
}

function read(source: string): Pick<ReceivedMail, 'source' | 'headers' | 'text'> {
  const end = source.indexOf('\r\n\r\n')
  const headers = source
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const encoding = headers.find((line) => /^content-transfer-encoding:/i.test(line)) ?? ''
  return { source, headers, text: decode(source.slice(end + 4), encoding).replaceAll('\r\n', '\n') }
}

function decode(body: string, encoding: string): string {
  if (/base64/i.test(encoding)) return Buffer.from(body, 'base64').toString()
  if (!/quoted-printable/i.test(encoding)) return body
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
