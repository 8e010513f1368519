import { SaxesParser } from 'saxes'
import { fromFdPromise, type Entry } from 'yauzl'
import { fileDescriptor } from './file.ts'
import { Unreadable } from './request.ts'

/** The entries of a zip file of XML documents. */
export type Zip = {
  names: readonly string[]
  /** Reads an entry as XML. Does nothing if there is no such entry. */
  readXml: (name: string, handlers: XmlHandlers) => Promise<void>
}

/** Names of elements are without their namespace prefix, because every program may choose another one. Those of attributes have it. */
type XmlHandlers = {
  open?: (name: string, attributes: Readonly<Record<string, string>>) => void
  text?: (text: string) => void
  close?: (name: string) => void
}

const maxEntries = 20_000
/** The maximum size of all read entries together after unpacking, because a few kilobytes can unpack to gigabytes. */
const maxUnpackedBytes = 200 * 1024 * 1024
/** The maximum number of elements inside each other. Real documents have some dozens. */
const maxDepth = 1000

/** Opens the file as a zip file. */
export async function openZip(): Promise<Zip> {
  const zip = await fromFdPromise(fileDescriptor, { autoClose: false, lazyEntries: true })
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) {
    entries.set(entry.fileName, entry)
    if (entries.size > maxEntries) throw new Unreadable('too_large')
  }
  let unpackedBytes = 0
  return {
    names: [...entries.keys()],
    readXml: async (name, handlers) => {
      const entry = entries.get(name)
      if (!entry) return
      if (entry.isEncrypted()) throw new Unreadable('encrypted')
      if (unpackedBytes + entry.uncompressedSize > maxUnpackedBytes) throw new Unreadable('too_large')
      unpackedBytes += entry.uncompressedSize // yauzl refuses entries that unpack to another size
      const parser = createParser(handlers)
      const decoder = new TextDecoder()
      for await (const chunk of await zip.openReadStreamPromise(entry)) parser.write(decoder.decode(chunk, { stream: true }))
      parser.close()
    },
  }
}

/** Creates a parser that expands no entities, and refuses documents that define some. */
function createParser({ open, text, close }: XmlHandlers): SaxesParser {
  const parser = new SaxesParser()
  let depth = 0
  const refuse = (): never => {
    throw new Unreadable('damaged')
  }
  parser.on('error', refuse)
  parser.on('doctype', refuse)
  parser.on('opentag', ({ name, attributes }) => {
    depth++
    if (depth > maxDepth) refuse()
    open?.(withoutPrefix(name), attributes)
  })
  if (text) parser.on('text', text)
  if (text) parser.on('cdata', text)
  parser.on('closetag', ({ name }) => {
    depth--
    close?.(withoutPrefix(name))
  })
  return parser
}

/** Returns the name of an element or attribute without its namespace prefix. */
export const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1)
