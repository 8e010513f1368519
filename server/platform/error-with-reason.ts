/**
 * An error with a code that callers test, such as `refused`. A subclass gives the codes of one part of the server and says for whom the
 * message is. `cause` is for the log.
 */
export abstract class ErrorWithReason<Reason extends string> extends Error {
  readonly reason: Reason

  constructor(reason: Reason, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}
