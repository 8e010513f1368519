import { errors, type ErrorCode, type ProblemExtras } from '#contract/errors.ts'

/**
 * A failure that is reported to the client, with a code from `contract/errors.ts`. `sendProblem` converts it to a problem document.
 * `extras` are further fields of the document. `cause` is for the log and is never sent.
 */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly extras: ProblemExtras

  constructor(code: ErrorCode, extras: ProblemExtras = {}, cause?: unknown) {
    super(errors[code][1], { cause })
    this.name = 'Refusal'
    this.code = code
    this.extras = extras
  }
}
