import type { AppContext } from '#server/platform/feature/context.ts'
import type { PictureRequest } from '../text/program/request.ts'
import { convertInProgram } from '../text/run-program.ts'

/** Each conversion may need half a gigabyte of memory. */
const maxRunningConversions = 2

type Conversion = PictureRequest & { maxBytes: number }

/**
 * Writes an image in another format, in a child process. Returns undefined if it is damaged, has more than 100 megapixels, or would have
 * more than `maxBytes`. Throws the reason of an aborted signal, and errors of `content`.
 */
export const convertPicture = (
  { slots }: Pick<AppContext, 'slots'>,
  content: AsyncIterable<Uint8Array>,
  conversion: Conversion,
  signal: AbortSignal,
): Promise<Buffer | undefined> =>
  slots.run('conversions of pictures', maxRunningConversions, signal, () => convertInProgram(content, conversion, signal))
