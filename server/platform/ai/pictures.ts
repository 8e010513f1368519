import { AiFailure } from './failure.ts'
import type { Picture } from './types.ts'

/** The types that all endpoints read; Ollama refuses others. */
const readableTypes = ['image/png', 'image/jpeg', 'image/webp']
/** A picture with more bytes is made smaller, because endpoints refuse large requests. */
const maxBytes = 3 * 1024 ** 2
/** The maximum width and height of a picture that was made smaller, in pixels. */
const maxSide = 2048
const maxInputPixels = 100_000_000
const timeoutSeconds = 10
/** The readers of formats that can contain programs, links or other documents. */
const blockedOperations = ['VipsForeignLoadSvg', 'VipsForeignLoadPdf', 'VipsForeignLoadMagick']

/** Finds the type of a picture in its first bytes; undefined for types other than PNG, JPEG, WebP and GIF. */
export function pictureTypeOf(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (start.startsWith('\x89PNG')) return 'image/png'
  if (start.startsWith('\xFF\xD8\xFF')) return 'image/jpeg'
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'image/webp'
  return start.startsWith('GIF8') ? 'image/gif' : undefined
}

/** Converts a picture into one that every endpoint reads. Throws `AiFailure`. */
export async function toReadablePicture({ bytes }: Picture): Promise<Picture> {
  const mimeType = pictureTypeOf(bytes)
  if (mimeType !== undefined && readableTypes.includes(mimeType) && bytes.byteLength <= maxBytes) return { bytes, mimeType }
  const { default: sharp } = await import('sharp')
  sharp.block({ operation: blockedOperations })
  try {
    const converted = await sharp(bytes, { limitInputPixels: maxInputPixels, failOn: 'error' })
      .timeout({ seconds: timeoutSeconds })
      .rotate() // turns the picture upright, as its EXIF data say
      .resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: 'white' })
      .jpeg({ quality: 85 })
      .toBuffer()
    return { bytes: converted, mimeType: 'image/jpeg' }
  } catch (error) {
    throw new AiFailure('no_pictures', 'This picture has a format that cannot be read.', error)
  }
}
