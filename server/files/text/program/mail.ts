import PostalMime, { type Address } from 'postal-mime'
import type { TextCollector } from '../collector.ts'
import { readInputFile } from './file.ts'
import { readMarkup } from './markup.ts'

/** Reads a mail: sender, recipients, subject, text, and the names of the attachments. */
export async function readMail(collector: TextCollector): Promise<void> {
  const mail = await PostalMime.parse(readInputFile(), { maxNestingDepth: 20 })
  const people = [mail.from, ...(mail.to ?? []), ...(mail.cc ?? [])].flatMap((address) => (address ? formatAddress(address) : []))
  for (const line of [mail.subject, ...people]) if (line) collector.add(`${line}\n`)
  collector.add('\n')
  if (mail.text) collector.add(mail.text)
  else if (mail.html) readMarkup(collector, mail.html)
  for (const { filename } of mail.attachments) if (filename) collector.add(`\n${filename}`)
}

const formatAddress = ({ name, address = '', group }: Address): string[] =>
  group ? group.flatMap(formatAddress) : [`${name} ${address}`.trim()]
