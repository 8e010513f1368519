import { MailFailure } from './failure.ts'
import { smtpMail } from './smtp.ts'

/** One mail to one address, as text. */
export type Message = {
  to: string
  subject: string
  text: string
  /** The same for every try of one mail, so that a repeat is known as such: letters, digits and `._-`. */
  messageId?: string
}

export type Mail = {
  /** Whether there is a mail server at all: screens say so before anybody waits for a mail. */
  sends: boolean
  /** Ends when the mail server has taken the mail; throws a `MailFailure`. */
  send: (message: Message) => Promise<void>
}

/**
 * `smtpUrl` is `smtp://` or `smtps://` with name and password, checked by whoever read it; without it mail is off.
 * `from` is an address, or a name with the address in angle brackets.
 */
export function createMail({ smtpUrl, from }: { smtpUrl: string | undefined; from: string }): Mail {
  return smtpUrl === undefined ? mailOff : { sends: true, send: smtpMail(smtpUrl, from) }
}

const mailOff: Mail = {
  sends: false,
  send: () => Promise.reject(new MailFailure('off', 'This server sends no mail: its operator has not named a mail server')),
}
