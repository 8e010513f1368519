import { getDocumentProxy } from 'unpdf'
import type { TextCollector } from '../collector.ts'
import { readInputFile } from './file.ts'
import { Unreadable } from './request.ts'

/** Reads the text of a PDF, page by page. */
export async function readPdf(collector: TextCollector): Promise<void> {
  const pdf = await getDocumentProxy(new Uint8Array(readInputFile())).catch(toUnreadable)
  for (let number = 1; number <= pdf.numPages; number++) {
    collector.startPage()
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    for (const item of items) if ('str' in item) collector.add(item.hasEOL ? `${item.str}\n` : item.str)
    collector.add('\n')
    page.cleanup()
  }
}

function toUnreadable(error: unknown): never {
  if (error instanceof Error && error.name === 'PasswordException') throw new Unreadable('encrypted')
  throw error
}
