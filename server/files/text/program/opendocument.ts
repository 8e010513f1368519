import type { TextCollector } from '../collector.ts'
import { Unreadable } from './request.ts'
import type { Zip } from './zip.ts'

/**
 * Reads a text, table or presentation of LibreOffice and other programs. Text is in paragraphs (`p`) and headings (`h`), in which `s` is a
 * space. `paragraphs`, `cells` and `hidden` count open elements, because elements can be inside each other. Texts whose deletion is
 * recorded as a tracked change are left out.
 */
export async function readOpenDocument(zip: Zip, collector: TextCollector): Promise<void> {
  await refuseEncrypted(zip)
  let paragraphs = 0
  let cells = 0
  let hidden = 0
  await zip.readXml('content.xml', {
    open: (element) => {
      if (element === 'tracked-changes') hidden++
      else if (element === 'p' || element === 'h') paragraphs++
      else if (element === 'table-cell') cells++
      else if (element === 'tab') collector.add('\t')
      else if (element === 's') collector.add(' ')
      else if (element === 'line-break') collector.add('\n')
    },
    text: (content) => {
      if (paragraphs > 0 && hidden === 0) collector.add(content)
    },
    close: (element) => {
      if (element === 'tracked-changes') hidden--
      else if (element === 'table-row') collector.add('\n')
      else if (element === 'table-cell') {
        cells--
        collector.add('\t')
      } else if (element === 'p' || element === 'h') {
        paragraphs--
        if (hidden === 0) collector.add(cells > 0 ? ' ' : '\n')
      }
    },
  })
}

async function refuseEncrypted(zip: Zip): Promise<void> {
  await zip.readXml('META-INF/manifest.xml', {
    open: (element) => {
      if (element === 'encryption-data') throw new Unreadable('encrypted')
    },
  })
}
