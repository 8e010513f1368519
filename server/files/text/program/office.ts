import type { TextCollector } from '../collector.ts'
import { readOpenDocument } from './opendocument.ts'
import { Unreadable } from './request.ts'
import { readSheets } from './sheets.ts'
import { openZip, type Zip } from './zip.ts'

/** Reads Word, Excel, PowerPoint and OpenDocument files. The entries of the zip file show the kind; the file name is not read. */
export async function readOffice(collector: TextCollector): Promise<void> {
  const zip = await openZip()
  const has = (pattern: RegExp): boolean => zip.names.some((name) => pattern.test(name))
  if (has(mainDocument)) await readWord(zip, collector)
  else if (has(/^xl\/workbook\.xml$/)) await readSheets(zip, collector)
  else if (has(slide)) await readSlides(zip, collector)
  else if (has(/^content\.xml$/) && has(/^(mimetype|META-INF\/manifest\.xml)$/)) await readOpenDocument(zip, collector)
  else throw new Unreadable('unsupported')
}

const mainDocument = /^word\/document\d*\.xml$/
/** The documents in a Word file, in the order in which they are read. */
const wordDocuments = [
  mainDocument,
  /^word\/footnotes\.xml$/,
  /^word\/endnotes\.xml$/,
  /^word\/comments\.xml$/,
  /^word\/header\d*\.xml$/,
  /^word\/footer\d*\.xml$/,
]
const slide = /^ppt\/slides\/slide(\d+)\.xml$/

async function readWord(zip: Zip, collector: TextCollector): Promise<void> {
  for (const pattern of wordDocuments)
    for (const name of zip.names.filter((each) => pattern.test(each))) await readParagraphs(zip, name, collector)
}

/** Reads the slides as pages, each followed by its notes. */
async function readSlides(zip: Zip, collector: TextCollector): Promise<void> {
  const numbers = zip.names.flatMap((name) => slide.exec(name)?.[1] ?? []).map(Number)
  for (const number of numbers.toSorted((a, b) => a - b)) {
    collector.startPage()
    await readParagraphs(zip, `ppt/slides/slide${number}.xml`, collector)
    await readParagraphs(zip, `ppt/notesSlides/notesSlide${number}.xml`, collector)
  }
}

/** Adds the text of elements `t` (text), with each paragraph (`p`) on a line of its own. `br` and `cr` are line breaks in a paragraph. */
async function readParagraphs(zip: Zip, name: string, collector: TextCollector): Promise<void> {
  let isText = false
  await zip.readXml(name, {
    open: (element) => {
      if (element === 't') isText = true
      else if (element === 'tab') collector.add('\t')
      else if (element === 'br' || element === 'cr') collector.add('\n')
    },
    text: (content) => {
      if (isText) collector.add(content)
    },
    close: (element) => {
      if (element === 't') isText = false
      else if (element === 'p') collector.add('\n')
    },
  })
}
