import type { TextReason } from '#contract/fileTexts.ts'
import type { DocumentText } from '../collector.ts'
import type { Family } from '../family.ts'

/** What the program gets besides the bytes of the file. `isCut`: the file has more bytes than the program gets. */
export type ProgramRequest = { family: Exclude<Family, 'text'>; isCut: boolean }

/** What the program writes, as JSON. `thumbnail` is a WebP picture in base64. */
export type ProgramResult = {
  text: DocumentText
  thumbnail?: string
  missingLibrary?: string
}

/** Thrown where it is known why a file has no text. */
export class Unreadable extends Error {
  readonly reason: TextReason

  constructor(reason: TextReason) {
    super(reason)
    this.reason = reason
  }
}
