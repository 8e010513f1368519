// What the server sends to the program, a child process that reads one file, and what the program returns.
import type { TextReason } from '#contract/fileTexts.ts'
import type { DocumentText } from '../collector.ts'
import type { Family } from '../family.ts'

/** A request to read the text of a file, or to make a thumbnail of an image. `isCut`: the file has more bytes than the program gets. */
export type TextRequest = { family: Exclude<Family, 'text'>; isCut: boolean }

/** A request to write an image in this format, at most `maxSide` pixels wide and high. */
export type PictureRequest = { format: 'png' | 'jpeg'; maxSide: number }

/** What the program gets besides the bytes of the file. */
export type ProgramRequest = TextRequest | PictureRequest

/** What the program writes, as JSON. `thumbnail` is a WebP picture in base64, `picture` the answer to a `PictureRequest` in base64. */
export type ProgramResult = {
  text: DocumentText
  thumbnail?: string
  picture?: string
  /** The error with which the library for pictures could not be loaded. */
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
