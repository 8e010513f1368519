import { Parser } from 'htmlparser2'
import type { TextCollector } from '../collector.ts'
import { readInputFile } from './file.ts'
import { decodeText } from '../plain.ts'

const hiddenTags = new Set(['script', 'style', 'template', 'noscript'])
const inlineTags = new Set([
  'a',
  'abbr',
  'b',
  'bdi',
  'bdo',
  'code',
  'em',
  'font',
  'i',
  'mark',
  's',
  'small',
  'span',
  'strong',
  'sub',
  'sup',
  'tspan',
  'u',
  'wbr',
])
/** The parser gets a text in parts, so that the collector can end the reading of a long text before all of it is parsed. */
const charactersPerPart = 64 * 1024

/** Reads the text of an HTML, SVG or other XML file. */
export function readMarkupFile(collector: TextCollector): void {
  const bytes = readInputFile()
  const [, charset] = /charset=["']?([\w-]+)/i.exec(bytes.toString('latin1', 0, 2048)) ?? []
  readMarkup(collector, charset === undefined ? decodeText(bytes) : decodeAs(bytes, charset))
}

/** Adds the text between tags. The text of blocks is on lines of its own. */
export function readMarkup(collector: TextCollector, source: string): void {
  let hiddenDepth = 0
  const parser = new Parser({
    onopentagname: (name) => {
      if (hiddenTags.has(name)) hiddenDepth++
    },
    ontext: (content) => {
      if (hiddenDepth === 0) collector.add(content.replaceAll(/\s+/g, ' '))
    },
    onclosetag: (name) => {
      if (hiddenTags.has(name)) hiddenDepth--
      else if (name === 'td' || name === 'th') collector.add('\t')
      else if (!inlineTags.has(name)) collector.add('\n')
    },
  })
  for (let start = 0; start < source.length; start += charactersPerPart) parser.write(source.slice(start, start + charactersPerPart))
  parser.end()
}

function decodeAs(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: true }) // the last character may be cut
  } catch {
    return decodeText(bytes) // the name of the encoding is unknown or wrong
  }
}
