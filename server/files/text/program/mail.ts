import PostalMime, { type Address } from 'postal-mime'
import type { TextCollector } from '../collector.ts'
import { readAllBytes } from './file.ts'
import { readMarkup } from './markup.ts'

/** Reads a mail: sender, recipients, subject, text, and the names of the attachments. */
export async function readMail(text: TextCollector): Promise<void> {
  const mail = await PostalMime.parse(readAllBytes(), { maxNestingDepth: 20 })
  const people = [mail.from, ...(mail.to ?? []), ...(mail.cc ?? [])].flatMap((address) => (address ? formatAddress(address) : []))
  for (const line of [mail.subject, ...people]) if (line) text.add(`${line}\n`)
  text.add('\n')
  if (mail.text) text.add(mail.text)
  else if (mail.html) readMarkup(text, mail.html)
  for (const { filename } of mail.attachments) if (filename) text.add(`\n${filename}`)
}

const formatAddress = ({ name, address = '', group }: Address): string[] =>
  group ? group.flatMap(formatAddress) : [`${name} ${address}`.trim()]
