import type { default as createSharp, Sharp } from 'sharp'
import type { TextReason } from '#contract/fileTexts.ts'
import { readInputFile } from './file.ts'
import type { PictureRequest, ProgramResult } from './request.ts'

/** The maximum width and height of a thumbnail, in pixels. */
const maxThumbnailSide = 320
const maxInputPixels = 100_000_000
const timeoutSeconds = 10
/** The readers of formats that can contain programs, links or other documents. */
const blockedOperations = ['VipsForeignLoadSvg', 'VipsForeignLoadPdf', 'VipsForeignLoadMagick']
/** A result always says whether there is text; a picture has none. */
const text = { reason: 'no_text' } as const

/**
 * Makes a small picture of an image. The result has none if the image is damaged or too large, takes too long or has a blocked format, or
 * if sharp cannot be loaded.
 */
export const createThumbnail = (): Promise<ProgramResult> =>
  readImage(maxThumbnailSide, async (image) => ({ text, thumbnail: await encode(image.webp({ quality: 75 })) }))

/** Writes an image in another format. The result has no picture in the cases named at `createThumbnail`. */
export const convertPicture = ({ format, maxSide }: PictureRequest): Promise<ProgramResult> =>
  readImage(maxSide, async (image) => {
    const converted = format === 'png' ? image.png() : image.flatten({ background: 'white' }).jpeg({ quality: 85 })
    return { text, picture: await encode(converted) }
  })

/** Reads the image and makes it at most `maxSide` pixels wide and high. */
async function readImage(maxSide: number, write: (image: Sharp) => Promise<ProgramResult>): Promise<ProgramResult> {
  let sharp: typeof createSharp
  try {
    sharp = (await import('sharp')).default
  } catch (error) {
    return { text, missingLibrary: String(error) } // there is no binary for this platform
  }
  sharp.block({ operation: blockedOperations })
  sharp.cache(false)
  sharp.concurrency(1)
  try {
    const image = sharp(readInputFile(), { limitInputPixels: maxInputPixels, failOn: 'error' })
      .timeout({ seconds: timeoutSeconds })
      .rotate() // as the camera was held
      .resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true })
    return await write(image)
  } catch (error) {
    return { text: { reason: reasonOf(error) } }
  }
}

const encode = async (image: Sharp): Promise<string> => (await image.toBuffer()).toString('base64')

/** Returns why an image was not read, from the message of the error of sharp. */
export function reasonOf(error: unknown): TextReason {
  const message = error instanceof Error ? error.message : ''
  if (message.includes('exceeds pixel limit')) return 'too_large'
  return /^timeout: /m.test(message) ? 'timeout' : 'damaged'
}
