import { Parser } from 'htmlparser2'
import type { TextCollector } from '../collector.ts'
import { readAllBytes } from './file.ts'
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
const charactersPerStep = 64 * 1024

/** Reads the text of an HTML, SVG or other XML file. */
export function readMarkupFile(text: TextCollector): void {
  const bytes = readAllBytes()
  const [, charset] = /charset=["']?([\w-]+)/i.exec(bytes.toString('latin1', 0, 2048)) ?? []
  readMarkup(text, charset === undefined ? decodeText(bytes) : decodeAs(bytes, charset))
}

/** Adds the text between tags. The text of blocks is on lines of its own. */
export function readMarkup(text: TextCollector, source: string): void {
  let hidden = 0
  const parser = new Parser({
    onopentagname: (name) => {
      if (hiddenTags.has(name)) hidden++
    },
    ontext: (content) => {
      if (hidden === 0) text.add(content.replaceAll(/\s+/g, ' '))
    },
    onclosetag: (name) => {
      if (hiddenTags.has(name)) hidden--
      else if (name === 'td' || name === 'th') text.add('\t')
      else if (!inlineTags.has(name)) text.add('\n')
    },
  })
  for (let start = 0; start < source.length; start += charactersPerStep) parser.write(source.slice(start, start + charactersPerStep))
  parser.end()
}

function decodeAs(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return decodeText(bytes) // an unknown or wrong name
  }
}
