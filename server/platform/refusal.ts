import { errors, type ErrorCode, type ProblemExtras } from '#contract/errors.ts'

/**
 * A failure that the asker may hear of, by its code from the closed list. Thrown where it is known, turned into a problem
 * document once, at the door. `cause` is for the log and never leaves.
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
