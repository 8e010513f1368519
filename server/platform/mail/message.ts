import { ErrorWithReason } from '../error-with-reason.ts'

/** A plain-text mail to one address. */
export type Message = {
  to: string
  subject: string
  text: string
  /** Every attempt to send a mail uses the same id, so that mail programs recognise a duplicate. May contain letters, digits and `._-`. */
  messageId?: string
  /** The address that gets the answers, if it is not the sender. */
  replyTo?: string
  /** A calendar file (iCalendar) that adds, changes or removes an appointment in the calendar of the receiver. */
  calendar?: { method: 'REQUEST' | 'CANCEL'; content: string }
}

/**
 * The reason why a mail was not sent. `off`: no mail server is configured. `refused`: the mail server permanently refuses this mail.
 * `temporary`: the mail server cannot accept the mail now. `unreachable`: the mail server sends no valid response, or refuses our
 * sender, name or password.
 */
export type MailFailureReason = 'off' | 'refused' | 'temporary' | 'unreachable'

/** A mail was not sent. The message of the error is for the user who sent the mail; its cause is for the log. */
export class MailFailure extends ErrorWithReason<MailFailureReason> {
  override name = 'MailFailure'
}

const maxCharacters = { to: 254, subject: 500, text: 1_000_000 }

/**
 * Matches exactly one address: one @ with other characters before and after it. Spaces, control characters (`\p{C}`) and characters that
 * separate or quote addresses are not allowed, so a list of addresses does not match.
 */
const oneAddress = /^[^\s@<>()[\],;:"\\\p{C}]+@[^\s@<>()[\],;:"\\\p{C}]+$/u

/** Throws a `MailFailure` with `refused` for an invalid message, before any part of it is sent to the mail server. */
export function checkMessage({ to, subject, text, messageId, replyTo }: Message): void {
  if (to.length > maxCharacters.to || !oneAddress.test(to)) throw new MailFailure('refused', 'The mail has no valid address')
  if (replyTo !== undefined && (replyTo.length > maxCharacters.to || !oneAddress.test(replyTo)))
    throw new MailFailure('refused', 'The mail has no valid address for answers')
  if (subject.length > maxCharacters.subject)
    throw new MailFailure('refused', `The subject of the mail is longer than ${maxCharacters.subject} characters`)
  if (text.length > maxCharacters.text) throw new MailFailure('refused', 'The mail is too long to be sent')
  if (messageId !== undefined && !/^[\w.-]{1,200}$/.test(messageId))
    throw new Error('A message id may contain only letters, digits and ._-')
}
