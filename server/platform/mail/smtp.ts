import { isIP } from 'node:net'
import * as z from 'zod/mini'
import { checkMessage, MailFailure, type Message } from './message.ts'

const secondMs = 1000
/** The time limit for a whole mail. It is needed because a server that sends its response in small parts restarts the other timeouts. */
const mailTimeoutMs = 60 * secondMs

const limits = {
  connectionTimeout: 10 * secondMs,
  dnsTimeout: 10 * secondMs,
  socketTimeout: 30 * secondMs,
  socketCloseTimeout: secondMs,
  maxResponseSize: 10_000, // bytes
}

/**
 * Returns the function that sends mail, over at most three connections, which stay open for five seconds. The first mail loads the mail
 * library.
 */
export function smtpMail(smtpUrl: string, from: string): (message: Message) => Promise<void> {
  const domain = /@([^<>\s]+)>?$/.exec(from)?.[1] ?? 'localhost' // the part after the @ of the sender's address
  let openedTransport: ReturnType<typeof openTransport> | undefined
  return async (message) => {
    checkMessage(message)
    openedTransport ??= openTransport(smtpUrl)
    const { to, subject, text, messageId, replyTo, calendar } = message
    try {
      const transport = await openedTransport
      await transport.sendMail({
        from,
        to: { name: '', address: to }, // the library would look for several addresses in a string
        subject,
        text,
        ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
        ...(calendar && { icalEvent: { method: calendar.method, content: calendar.content, filename: 'appointment.ics' } }),
        ...(messageId !== undefined && { messageId: `<${messageId}@${domain}>` }),
        headers: { 'Auto-Submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
        signal: AbortSignal.timeout(mailTimeoutMs),
      })
    } catch (error) {
      throw toMailFailure(error)
    }
  }
}

/** Connects to the mail server and signs in, without sending a mail. Throws a `MailFailure`. */
export async function verifySmtp(smtpUrl: string): Promise<void> {
  const transport = await openTransport(smtpUrl)
  try {
    await transport.verify()
  } catch (error) {
    throw toMailFailure(error)
  } finally {
    transport.close()
  }
}

async function openTransport(smtpUrl: string) {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    pool: true,
    maxConnections: 3,
    maxRequeues: 1,
    idleTimeout: 5 * secondMs,
    ...limits,
    ...connectionOptions(new URL(smtpUrl)),
  })
}

/**
 * Returns the settings of the connection. `smtps` is encrypted from the first byte. `smtp` uses STARTTLS if the server offers it, and sends
 * a password only after STARTTLS. For a server on this machine STARTTLS is never used, because its certificate is usually self-signed.
 */
function connectionOptions({ protocol, hostname, port, username, password }: URL) {
  const host = hostname.replace(/^\[(.*)\]$/, '$1') // without the brackets around an IPv6 address
  const secure = protocol === 'smtps:'
  const isLocal = host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
  return {
    host,
    port: Number(port) || (secure ? 465 : 587),
    secure,
    ignoreTLS: !secure && isLocal,
    requireTLS: !secure && !isLocal && username !== '',
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  }
}

/** The fields that the library adds to its errors. */
const SmtpError = z.object({
  code: z.optional(z.string()),
  command: z.optional(z.string()),
  responseCode: z.optional(z.number()),
  response: z.optional(z.string()),
})

/** The codes with which a mail server refuses every mail because it expects another sign-in. */
const signInCodes = [530, 534, 535, 538]

/** Converts an error of the library. The codes of mail servers from 400 are temporary failures, those from 500 are permanent ones. */
function toMailFailure(error: unknown): MailFailure {
  const { code, command, responseCode = 0, response = '' } = z.safeParse(SmtpError, error).data ?? {}
  const isRefusal = (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500
  const isAboutThisMail = command !== 'MAIL FROM' && !signInCodes.includes(responseCode) // all mails have the same sender
  if (isRefusal && isAboutThisMail) return new MailFailure('refused', `The mail server refused the mail: ${toQuote(response)}`)
  if (responseCode >= 400 && responseCode < 500)
    return new MailFailure('temporary', `The mail server cannot take the mail now: ${toQuote(response)}`)
  if (isRefusal) return new MailFailure('unreachable', `The mail server does not accept our sender or name: ${toQuote(response)}`, error)
  if (code === 'EAUTH' || code === 'ENOAUTH')
    return new MailFailure('unreachable', 'The mail server does not accept our name and password', error)
  return new MailFailure('unreachable', 'The mail server sends no valid response', error)
}

/** Shortens the response of the server for our error message. Removes links, because a link of the mail may be a secret. */
function toQuote(response: string): string {
  return response
    .replaceAll(/https?:\S+/gi, '(a link)')
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, 300)
}
