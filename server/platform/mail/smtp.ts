import { isIP } from 'node:net'
import * as z from 'zod/mini'
import { checkMessage, MailFailure, type Message } from './message.ts'

const second = 1000
/** The time limit of one mail in total. A server that keeps sending parts of a response resets the other timeouts. */
const totalMs = 60 * second

const limits = {
  connectionTimeout: 10 * second,
  dnsTimeout: 10 * second,
  socketTimeout: 30 * second,
  socketCloseTimeout: second,
  maxResponseSize: 10_000,
}

/** Sends mail over at most three connections, which are kept open for five seconds. Loads the library with the first mail. */
export function smtpMail(smtpUrl: string, from: string): (message: Message) => Promise<void> {
  const domain = /@([^<>\s]+)>?$/.exec(from)?.[1] ?? 'localhost'
  let opened: ReturnType<typeof openTransport> | undefined
  return async (message) => {
    checkMessage(message)
    opened ??= openTransport(smtpUrl)
    const { to, subject, text, messageId } = message
    try {
      const transport = await opened
      await transport.sendMail({
        from,
        to: { name: '', address: to }, // an object is not parsed for more addresses
        subject,
        text,
        ...(messageId !== undefined && { messageId: `<${messageId}@${domain}>` }),
        headers: { 'Auto-Submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
        signal: AbortSignal.timeout(totalMs),
      })
    } catch (error) {
      throw toMailFailure(error)
    }
  }
}

async function openTransport(smtpUrl: string) {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    pool: true,
    maxConnections: 3,
    maxRequeues: 1,
    idleTimeout: 5 * second,
    ...limits,
    ...serverOf(new URL(smtpUrl)),
  })
}

/**
 * Returns the settings of the server. `smtps` is encrypted from the first byte. `smtp` uses STARTTLS if the server offers it, and requires it
 * before a password is sent, except on this machine, where certificates are usually self-signed.
 */
function serverOf({ protocol, hostname, port, username, password }: URL) {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
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
const SmtpError = z.object({ code: z.optional(z.string()), responseCode: z.optional(z.number()), response: z.optional(z.string()) })

function toMailFailure(error: unknown): MailFailure {
  const { code, responseCode = 0, response = '' } = z.safeParse(SmtpError, error).data ?? {}
  const isAboutThisMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  if (isAboutThisMail && responseCode >= 500) return new MailFailure('refused', `The mail server refused the mail: ${quotable(response)}`)
  if (responseCode >= 400 && responseCode < 500)
    return new MailFailure('temporary', `The mail server cannot take the mail now: ${quotable(response)}`)
  if (code === 'EAUTH' || code === 'ENOAUTH')
    return new MailFailure('unreachable', 'The mail server does not accept the name and password that it is given', error)
  return new MailFailure('unreachable', 'The mail server does not answer as it should', error)
}

/** Returns the server's response for our sentence, without links, because a link of the mail may be a secret. */
function quotable(response: string): string {
  return response
    .replaceAll(/https?:\S+/gi, '(a link)')
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, 300)
}
