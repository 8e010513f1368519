import { MailFailure, type Message } from './message.ts'
import { smtpMail } from './smtp.ts'

/** The service that sends mail. */
export type Mail = {
  /** Whether a mail server is configured. Screens that need mail show a message if none is. */
  isConfigured: boolean
  /** Resolves when the mail server has accepted the mail. Throws a `MailFailure`. */
  send: (message: Message) => Promise<void>
}

/**
 * Creates the service that sends mail. `smtpUrl` is a valid `smtp://` or `smtps://` URL, with name and password if the server needs them.
 * If it is undefined, every mail fails with `off`. `from` is an email address, or a name with the address in angle brackets.
 */
export function createMail({ smtpUrl, from }: { smtpUrl: string | undefined; from: string }): Mail {
  return smtpUrl === undefined ? mailOff : { isConfigured: true, send: smtpMail(smtpUrl, from) }
}

const mailOff: Mail = {
  isConfigured: false,
  send: () => Promise.reject(new MailFailure('off', 'This server sends no mail: its operator has not configured a mail server')),
}
