import type { TextCollector } from '../collector.ts'
import { Unreadable } from './request.ts'
import { withoutPrefix, type Zip } from './zip.ts'

/** The maximum number of spaces of one element, because a file of a few bytes can claim a billion. */
const maxSpaces = 1000

/**
 * Reads a text, table or presentation of LibreOffice and other programs. Text is in paragraphs (`p`) and headings (`h`), in which `s` is one
 * or several spaces. `paragraphs`, `cells` and `hidden` count open elements, because elements can be inside each other. Texts whose deletion is
 * recorded as a tracked change are left out.
 */
export async function readOpenDocument(zip: Zip, collector: TextCollector): Promise<void> {
  await refuseEncrypted(zip)
  let paragraphs = 0
  let cells = 0
  let hidden = 0
  const add = (text: string): void => {
    if (hidden === 0) collector.add(text)
  }
  await zip.readXml('content.xml', {
    open: (element, attributes) => {
      if (element === 'tracked-changes') hidden++
      else if (element === 'p' || element === 'h') paragraphs++
      else if (element === 'table-cell') cells++
      else if (element === 'tab') add('\t')
      else if (element === 's') add(' '.repeat(countSpaces(attributes)))
      else if (element === 'line-break') add('\n')
    },
    text: (content) => {
      if (paragraphs > 0) add(content)
    },
    close: (element) => {
      if (element === 'tracked-changes') hidden--
      else if (element === 'table-row') add('\n')
      else if (element === 'table-cell') {
        cells--
        add('\t')
      } else if (element === 'p' || element === 'h') {
        paragraphs--
        add(cells > 0 ? ' ' : '\n')
      }
    },
  })
}

/** Returns the value of the attribute `c` of an element `s`. It is 1 if it is missing or no number. */
function countSpaces(attributes: Readonly<Record<string, string>>): number {
  const [, count = ''] = Object.entries(attributes).find(([name]) => withoutPrefix(name) === 'c') ?? []
  return /^\d+$/.test(count) ? Math.min(Number(count), maxSpaces) : 1
}

async function refuseEncrypted(zip: Zip): Promise<void> {
  await zip.readXml('META-INF/manifest.xml', {
    open: (element) => {
      if (element === 'encryption-data') throw new Unreadable('encrypted')
    },
  })
}
