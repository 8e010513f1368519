/** A plain-text mail to one address. */
export type Message = {
  to: string
  subject: string
  text: string
  /** The same for every attempt to send a mail, so that mail programs recognise a duplicate. Letters, digits and `._-`. */
  messageId?: string
}

/**
 * The reason why a mail was not sent. `off`: there is no mail server. `refused`: the server permanently refuses this mail. `temporary`: it
 * cannot accept the mail now. `unreachable`: it sends no valid response, or does not accept our password.
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

/** Matches exactly one mailbox, without the characters that separate or quote addresses. */
const oneAddress = /^[^\s@<>()[\],;:"\\\p{C}]+@[^\s@<>()[\],;:"\\\p{C}]+$/u

/** Throws a `MailFailure` with `refused` for an invalid message, before any part of it is sent to the mail server. */
export function checkMessage({ to, subject, text, messageId = 'none' }: Message): void {
  if (to.length > maxCharacters.to || !oneAddress.test(to))
    throw new MailFailure('refused', 'The mail has no address that it could be sent to')
  if (subject.length > maxCharacters.subject)
    throw new MailFailure('refused', `The subject of the mail is longer than ${maxCharacters.subject} characters`)
  if (text.length > maxCharacters.text) throw new MailFailure('refused', 'The mail is too long to be sent')
  if (!/^[\w.-]{1,200}$/.test(messageId)) throw new Error('A message id is made of letters, digits and ._- only')
}
