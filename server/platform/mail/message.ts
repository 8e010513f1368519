import { MailFailure } from './failure.ts'
import type { Message } from './mail.ts'

/** The most that one mail may hold, in characters; what is larger belongs behind a link. */
const longest = { to: 254, subject: 500, body: 1_000_000 }

/** Something that one mailbox, and nothing but one, can be meant by: the characters that separate or quote addresses are left out. */
const oneAddress = /^[^\s@<>()[\],;:"\\\p{C}]+@[^\s@<>()[\],;:"\\\p{C}]+$/u

/** Throws a `MailFailure` with `refused` when a message cannot be a mail, before any of it reaches the mail server. */
export function checkMessage({ to, subject, text, messageId = 'none' }: Message): void {
  if (to.length > longest.to || !oneAddress.test(to)) throw new MailFailure('refused', 'The mail has no address that it could be sent to')
  if (subject.length > longest.subject)
    throw new MailFailure('refused', `The subject of the mail is longer than ${longest.subject} characters`)
  if (text.length > longest.body) throw new MailFailure('refused', 'The mail is too long to be sent')
  if (!/^[\w.-]{1,200}$/.test(messageId)) throw new Error('A message id is made of letters, digits and ._- only')
}
