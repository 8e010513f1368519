import type { TextCollector } from '../collector.ts'
import type { Zip } from './zip.ts'

/** Reads the sheets of an Excel file in their order, row by row, with tabs between cells. The name of a sheet stands before its rows. */
export async function readSheets(zip: Zip, collector: TextCollector): Promise<void> {
  const [sharedTexts, sheets] = [await readSharedTexts(zip), await listSheets(zip)]
  for (const { name, path } of sheets) {
    collector.add(`${name}\n`)
    await readSheet(zip, path, sharedTexts, collector)
    collector.add('\n')
  }
}

async function listSheets(zip: Zip): Promise<{ name: string; path: string }[]> {
  const pathById = new Map<string, string>()
  await zip.readXml('xl/_rels/workbook.xml.rels', {
    open: (_name, { Id: id = '', Target: target = '' }) => {
      pathById.set(id, target.startsWith('/') ? target.slice(1) : `xl/${target}`)
    },
  })
  const sheets: { name: string; path: string }[] = []
  await zip.readXml('xl/workbook.xml', {
    open: (element, attributes) => {
      const path = pathById.get(attributes['r:id'] ?? '')
      if (element === 'sheet' && path !== undefined) sheets.push({ name: attributes['name'] ?? '', path })
    },
  })
  return sheets
}

/** Returns the texts to which cells refer by their number. A text (`si`) has pieces (`t`), and may have a pronunciation (`rPh`). */
async function readSharedTexts(zip: Zip): Promise<string[]> {
  const texts: string[] = []
  let isText = false
  let isPronunciation = false
  let current = ''
  await zip.readXml('xl/sharedStrings.xml', {
    open: (element) => {
      if (element === 'si') current = ''
      else if (element === 'rPh') isPronunciation = true
      else if (element === 't') isText = true
    },
    text: (content) => {
      if (isText && !isPronunciation) current += content
    },
    close: (element) => {
      if (element === 't') isText = false
      else if (element === 'rPh') isPronunciation = false
      else if (element === 'si') texts.push(current)
    },
  })
  return texts
}

/** Reads the cells (`c`) of a sheet. The value of a cell is in `v` or `t`; in a cell of the type `s` it is the number of a shared text. */
async function readSheet(zip: Zip, path: string, sharedTexts: readonly string[], collector: TextCollector): Promise<void> {
  let type = ''
  let isValue = false
  let value = ''
  await zip.readXml(path, {
    open: (element, attributes) => {
      if (element === 'c') {
        type = attributes['t'] ?? ''
        value = ''
      }
      isValue = element === 'v' || element === 't'
    },
    text: (content) => {
      if (isValue) value += content
    },
    close: (element) => {
      isValue = false
      if (element === 'c') collector.add(`${type === 's' ? (sharedTexts[Number(value)] ?? '') : value}\t`)
      else if (element === 'row') collector.add('\n')
    },
  })
}
