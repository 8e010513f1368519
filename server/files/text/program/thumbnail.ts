import type { default as Sharp } from 'sharp'
import { readAllBytes } from './file.ts'
import type { ProgramResult } from './request.ts'

/** The maximum width and height of a thumbnail, in pixels. */
const maxSide = 320
const maxInputPixels = 100_000_000
const timeoutSeconds = 10
/** The readers of formats that can contain programs, links or other documents. */
const blockedOperations = ['VipsForeignLoadSvg', 'VipsForeignLoadPdf', 'VipsForeignLoadMagick']

/** Makes a small picture of an image. The result has none if the image is damaged or too large. */
export async function createThumbnail(): Promise<ProgramResult> {
  const text = { reason: 'no_text' } as const
  let sharp: typeof Sharp
  try {
    sharp = (await import('sharp')).default
  } catch (error) {
    return { text, missingLibrary: String(error) } // there is no binary for this platform
  }
  sharp.block({ operation: blockedOperations })
  sharp.cache(false)
  sharp.concurrency(1)
  try {
    const image = await sharp(readAllBytes(), { limitInputPixels: maxInputPixels, failOn: 'error' })
      .timeout({ seconds: timeoutSeconds })
      .rotate() // as the camera was held
      .resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 75 })
      .toBuffer()
    return { text, thumbnail: image.toString('base64') }
  } catch (error) {
    return { text: { reason: hasTooManyPixels(error) ? 'too_large' : 'damaged' } }
  }
}

const hasTooManyPixels = (error: unknown): boolean => error instanceof Error && error.message.includes('exceeds pixel limit')
