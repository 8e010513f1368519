/**
 * Why a mail was not sent. `off`: there is no mail server. `refused`: it will not take this mail, now or later. `temporary`: it
 * cannot take it now. `unreachable`: it does not answer as it should, or does not let us in.
 */
export type MailFailureReason = 'off' | 'refused' | 'temporary' | 'unreachable'

/** The message is a sentence for whoever wanted the mail sent; the cause is for the log. */
export class MailFailure extends Error {
  override name = 'MailFailure'
  readonly reason: MailFailureReason

  constructor(reason: MailFailureReason, sentence: string, cause?: unknown) {
    super(sentence, { cause })
    this.reason = reason
  }
}
