import { errors, type ErrorCode, type ProblemExtras } from '#contract/errors.ts'

/**
 * A failure that the client may know, with a code of the closed list. Thrown where it is known; `sendProblem` turns it into a problem
 * document. `cause` is for the log and is never sent.
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
