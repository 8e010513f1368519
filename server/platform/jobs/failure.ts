/** Thrown by a task that knows that trying again is of no use: the job fails at once, with a name for its reason and a sentence. */
export class JobFailure extends Error {
  override name = 'JobFailure'
  readonly reason: string

  constructor(reason: string, sentence: string, cause?: unknown) {
    super(sentence, { cause })
    this.reason = reason
  }
}
