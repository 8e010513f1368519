/** One mail to one address, as text. */
export type Message = {
  to: string
  subject: string
  text: string
  /** The same for every try of one mail, by which mail programs recognise a repeat: letters, digits and `._-`. */
  messageId?: string
}

/**
 * Why a mail was not sent. `off`: there is no mail server. `refused`: the server will never take this mail. `temporary`: it cannot
 * take it now. `unreachable`: it gives no usable answer, or does not accept our password.
 */
export type MailFailureReason = 'off' | 'refused' | 'temporary' | 'unreachable'

/** The message is a sentence for the user who sent the mail; the cause is for the log. */
export class MailFailure extends Error {
  override name = 'MailFailure'
  readonly reason: MailFailureReason

  constructor(reason: MailFailureReason, sentence: string, cause?: unknown) {
    super(sentence, { cause })
    this.reason = reason
  }
}

const maxCharacters = { to: 254, subject: 500, text: 1_000_000 }

/** Exactly one mailbox: without the characters that separate or quote addresses. */
const oneAddress = /^[^\s@<>()[\],;:"\\\p{C}]+@[^\s@<>()[\],;:"\\\p{C}]+$/u

/** Throws a `MailFailure` with `refused` when a message cannot be a mail, before any of it reaches the mail server. */
export function checkMessage({ to, subject, text, messageId = 'none' }: Message): void {
  if (to.length > maxCharacters.to || !oneAddress.test(to))
    throw new MailFailure('refused', 'The mail has no address that it could be sent to')
  if (subject.length > maxCharacters.subject)
    throw new MailFailure('refused', `The subject of the mail is longer than ${maxCharacters.subject} characters`)
  if (text.length > maxCharacters.text) throw new MailFailure('refused', 'The mail is too long to be sent')
  if (!/^[\w.-]{1,200}$/.test(messageId)) throw new Error('A message id is made of letters, digits and ._- only')
}
