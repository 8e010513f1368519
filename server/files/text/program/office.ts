import type { TextCollector } from '../collector.ts'
import { Unreadable } from './request.ts'

/** Reads Word, Excel, PowerPoint and OpenDocument files. */
export async function readOffice(_text: TextCollector): Promise<void> {
  throw new Unreadable('unsupported')
}
