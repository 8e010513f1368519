import type { Socket } from 'node:net'
import { SMTPServer, type SMTPServerError } from 'smtp-server'

/** A received mail: the envelope, the raw message, the unfolded header lines and the text. */
type ReceivedMail = { from: string; to: string[]; source: string; headers: string[]; text: string }

/**
 * The behavior of the server for the next mails. `accept`: receives and confirms each mail. `disconnect before mail`: closes the connection
 * before the mail is sent. `disconnect after mail`: receives the mail, and closes the connection without a confirmation. `refuse`: refuses
 * the sender, the address or the message with this SMTP status and a text.
 */
export type MailBehavior =
  | 'accept'
  | 'disconnect before mail'
  | 'disconnect after mail'
  | { refuse: number; refusedPart: RefusedPart; text?: string }

type RefusedPart = 'sender' | 'address' | 'message'

export type MailServer = AsyncDisposable & {
  url: string
  received: ReceivedMail[]
  setBehavior: (behavior: MailBehavior) => void
}

/** The only account that can sign in. The server also accepts mail without an account. */
const account = { user: 'foyer', password: 'open sesame' }

/** Starts a mail server on a free port of this machine. */
export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  const disconnectAll = (): void => sockets.forEach((socket) => socket.destroy())
  let behavior: MailBehavior = 'accept'
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) => {
      if (username === account.user && password === account.password) done(null, { user: username })
      else done(new Error('Invalid name or password'))
    },
    logger: false,
    onMailFrom: (_address, _session, done) => done(createRefusal(behavior, 'sender')),
    onRcptTo: (_address, _session, done) => {
      if (behavior === 'disconnect before mail') disconnectAll()
      else done(createRefusal(behavior, 'address'))
    },
    onData: (stream, { envelope }, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const refusal = createRefusal(behavior, 'message')
        if (refusal) return done(refusal)
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), ...parseMail(Buffer.concat(parts).toString()) })
        if (behavior === 'disconnect after mail') disconnectAll()
        else done()
      })
    },
  })
  server.on('error', () => {}) // an aborted connection is not a failure of the test
  server.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const port = await new Promise<number>((resolve) => {
    const netServer = server.listen(0, '127.0.0.1', () => {
      const address = netServer.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    setBehavior: (newBehavior) => {
      behavior = newBehavior
    },
    [Symbol.asyncDispose]: async () => {
      disconnectAll()
      await new Promise<void>((resolve) => server.close(resolve))
    },
  }
}

function createRefusal(behavior: MailBehavior, part: RefusedPart): SMTPServerError | undefined {
  if (typeof behavior !== 'object' || behavior.refusedPart !== part) return undefined
  return Object.assign(new Error(behavior.text ?? 'not today'), { responseCode: behavior.refuse })
}

/** Parses a raw message. Long header lines are joined: a line that begins with a space continues the line before. */
function parseMail(source: string): Pick<ReceivedMail, 'source' | 'headers' | 'text'> {
  const end = source.indexOf('\r\n\r\n')
  const headers = source
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const encoding = headers.find((line) => /^content-transfer-encoding:/i.test(line)) ?? ''
  return { source, headers, text: decodeBody(source.slice(end + 4), encoding).replaceAll('\r\n', '\n') }
}

function decodeBody(body: string, encoding: string): string {
  if (/base64/i.test(encoding)) return Buffer.from(body, 'base64').toString()
  if (!/quoted-printable/i.test(encoding)) return body
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
