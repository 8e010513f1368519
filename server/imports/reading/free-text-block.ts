import type { TableRow } from './table.ts'

export const textHeaders = ['Name', 'Email', 'Phone', 'Mobile phone', 'Fax', 'Company', 'Title', 'Address', 'Website', 'Notes'] as const
type Header = (typeof textHeaders)[number]
type Cells = Map<Header, string>

/** Lines that are read together. `line`: the number of the first one. `length`: of their whole section, in UTF-16 code units. */
export type TextBlock = { line: number; lines: string[]; length: number }

/**
 * "ann@example.org". The search begins at the "@", because it would try up to 64 characters at each position before it. Group 1: the part
 * before the "@".
 */
const email = /@(?<=([^\s<>@,;:"'()[\]]{1,64})@)[\p{L}\d.-]{1,200}\.\p{L}{2,24}/u
/** "+49 (0)30 123-456". */
const phone = /(?:\+|\(|\d)[\d\s()./-]{4,28}\d/
/** "https://example.org/team" and "www.example.org". */
const website = /(?:https?:\/\/|www\.)[^\s,;<>]{3,500}/i
/**
 * Two forms: `"Lee, Ann" <ann@example.org>` and `Ann Lee <ann@example.org>`. The name without quotes begins after another address or quote,
 * because trying each position before it would take a second for a megabyte.
 */
const namedAddress = /(?:"([^"]{0,200})"|(?<=^|[<>"])([^<>"]*))\s?<\s?([^<>\s@]{1,64}@[^<>\s@]{1,200})\s?>/gu
/** The maximum length of a name before an address. Text before it is no part of the name. */
const maxNameLength = 200

/** Labels before a colon, with the column for the text after it. */
const labels: readonly { pattern: RegExp; header: Header }[] = [
  { pattern: /^(full )?name$|^contact( person)?$|^ansprechpartner$/i, header: 'Name' },
  { pattern: /^e-?mail( address)?$|^mail$|^e$/i, header: 'Email' },
  { pattern: /^(mobile?|cell)( phone)?$|^handy$|^mobil$|^m$/i, header: 'Mobile phone' },
  { pattern: /^(tele)?fax$|^f$/i, header: 'Fax' },
  { pattern: /^(tele)?phone( number)?$|^tel\.?$|^telefon$|^téléphone$|^office$|^t$|^p$/i, header: 'Phone' },
  { pattern: /^company$|^organi[sz]ation$|^firma$|^employer$/i, header: 'Company' },
  { pattern: /^(job )?title$|^position$|^role$/i, header: 'Title' },
  { pattern: /^address$|^adresse$|^location$/i, header: 'Address' },
  { pattern: /^web(site)?$|^url$|^homepage$|^w$/i, header: 'Website' },
  { pattern: /^notes?$|^comments?$/i, header: 'Notes' },
]
const companyForm =
  /\b(gmbh|ag|kg|ug|ltd|limited|inc|llc|llp|corp(oration)?|plc|s\.?a\.?r\.?l|s\.?r\.?l|s\.?p\.?a|bv|b\.v|oy|ab|sp\. ?z ?o\. ?o|company|group|university|foundation)\b\.?/i
const titleWord =
  /\b(manager|director|officer|president|ceo|cto|cfo|coo|founder|partner|engineer|developer|consultant|assistant|sales|marketing|head of|lead|analyst|designer|accountant|geschäftsführer(in)?|leiter(in)?|vertrieb|directeur|directrice|gérant)\b/iu
const addressWords =
  /\b(street|st\.|road|rd\.?|avenue|ave\.?|lane|drive|square|platz|weg|allee|rue|via|calle)\b|(straße|strasse|str\.)|\b\d{5}\b/iu
/** A line that closes a letter, such as "Best regards". It is left out. */
const closingLine =
  /^((best|kind|warm|many)( (regards|wishes|thanks))?|regards|thanks|cheers|sincerely( yours)?|yours (sincerely|faithfully)|(mit )?(freundlich|best|viel|lieb|herzlich)e[n]? grü(ß|ss)en?( aus [\p{L} ]{2,30})?|(bien )?cordialement|saludos( cordiales)?|cordiali saluti|met vriendelijke groet(en)?|pozdrawiam|z poważaniem|med vänliga hälsningar)[,.!]*$/iu
/** Two to five words that begin with a capital, or with a particle such as "van". */
const personName =
  /^(?:(?:[Dd]r|[Pp]rof|[Mm]rs?|[Mm]s|[Hh]err|[Ff]rau)\.? )*\p{Lu}[\p{L}'’.-]*(?:,? (?:(?:van|von|de|der|den|del|della|di|da|la|le|bin|al) )*\p{Lu}[\p{L}'’.-]*){1,4}$/u

/** Whether the line is a divider such as "--", which separates signatures. */
export const isDivider = (text: string): boolean => /^\s*[-=_*~]{2,}\s*$/.test(text)

/** The maximum number of lines of a signature, without empty lines. */
const maxSignatureLines = 20

/**
 * Splits the text between two dividers into blocks at its empty lines. A short text with exactly one line with an email is one signature,
 * which may have empty lines, for example between name and company.
 */
export function splitSection({ line, lines, length }: TextBlock): TextBlock[] {
  const filled = lines.flatMap((text, index) => (text.trim() === '' ? [] : [{ text, index }]))
  const [first] = filled
  if (!first) return []
  const linesWithEmail = filled.filter(({ text }) => email.test(text)).length
  if (linesWithEmail === 1 && filled.length <= maxSignatureLines)
    return [{ line: line + first.index, lines: filled.map(({ text }) => text), length }]
  const blocks: TextBlock[] = []
  for (const [position, { text, index }] of filled.entries()) {
    const isNext = filled[position - 1]?.index === index - 1
    if (isNext) blocks.at(-1)?.lines.push(text)
    else blocks.push({ line: line + index, lines: [text], length })
  }
  return blocks
}

/** Returns the people of a block: one for each email of a list, one for each line if most lines have an email, or one for the block. */
export function readBlock(block: TextBlock): TableRow[] {
  const { line, lines } = block
  const listed = lines.map((text, index) => readAddresses(text, line + index))
  if (listed.every((rows) => rows !== undefined)) return listed.flat()
  const hasPersonPerLine = lines.length > 1 && lines.filter((text) => email.test(text)).length > lines.length / 2
  if (hasPersonPerLine) return lines.flatMap((text, index) => listed[index] ?? [readPerson(text.split(/[,;|\t]/), line + index, text)])
  return [readPerson(lines, line, lines.join('\n'))]
}

/** Returns a row for each email of a line that has only emails and their names; undefined for another line. */
function readAddresses(text: string, line: number): TableRow[] | undefined {
  const list = text.replaceAll(/\b(to|cc|bcc|from):(?<=(^|[,;])\s*\w+:)/gi, '')
  const rows: TableRow[] = []
  const addEmails = (part: string): boolean => {
    const emails = part.split(/[\s,;]+/).filter((word) => word !== '')
    for (const each of emails) rows.push(toRow(line, new Map<Header, string>([['Email', each]])))
    return emails.every(isEmail)
  }
  let end = 0
  for (const { 0: found, 1: quoted, 2: plain = '', 3: address = '', index } of list.matchAll(namedAddress)) {
    const name = quoted ?? findNameBeforeAddress(plain)
    const before = quoted === undefined ? plain.slice(0, plain.length - name.length) : ''
    if (!addEmails(list.slice(end, index) + before)) return undefined
    rows.push(
      toRow(
        line,
        new Map<Header, string>([
          ['Name', name.replaceAll(/^[\s,;*•-]+|\s+$/g, '').replace(/^'(.*)'$/, '$1')],
          ['Email', address],
        ]),
      ),
    )
    end = index + found.length
  }
  return addEmails(list.slice(end)) && rows.length > 0 ? rows : undefined
}

/** Returns the part of a text before an address that is its name: what follows the last email without a name. */
function findNameBeforeAddress(text: string): string {
  const words = text.split(/(?<=[\s,;])/)
  const firstOfName = words.findLastIndex((word) => isEmail(word.replace(/[\s,;]$/, ''))) + 1
  return words.slice(firstOfName).join('').slice(-maxNameLength)
}

const isEmail = (text: string): boolean => findEmail(text) === text

/** Whether a line has emails without names, and nothing else. */
export const hasOnlyEmails = (line: string): boolean => line.split(/[\s,;]+/).every((word) => word === '' || isEmail(word))

/** Reads the lines or parts of a text about one person. What is not recognised becomes a note. */
function readPerson(parts: readonly string[], line: number, raw: string): TableRow {
  const cells: Cells = new Map()
  for (const part of parts.flatMap((text) => text.split(/\s[|·]\s/))) readPart(part.trim().replace(/^[-*•–—]\s+/, ''), cells)
  const isPerson = cells.has('Email') || ((cells.has('Phone') || cells.has('Mobile phone')) && cells.has('Name'))
  return isPerson ? toRow(line, cells) : { kind: 'skipped', line, reason: 'unrecognised', raw }
}

/** The maximum length of a part that is searched for contact details, in UTF-16 code units. A longer part becomes a note. */
const maxPartLength = 1000

function readPart(part: string, cells: Cells): void {
  if (part.length > maxPartLength) return addCell(cells, 'Notes', part)
  if (part === '' || isDivider(part) || closingLine.test(part)) return
  const labelled = /^([\p{L} .-]{1,30}?)\s?[:=]\s?(.+)$/u.exec(part) ?? /^([TMFEPW])\.? ([+(\d].*|\S[^\s@]*@\S+|www\..*)$/.exec(part)
  const header = labelled && labels.find(({ pattern }) => pattern.test(labelled[1] ?? ''))?.header
  if (header) return addCell(cells, header, labelled?.[2] ?? '')
  const rest = takeMatches(part, cells)
  if (rest === '') return
  addCell(cells, chooseHeader(rest, cells), rest)
}

/** Moves an email, a website and a phone number out of the text, and returns what is left of it. */
function takeMatches(part: string, cells: Cells): string {
  let rest = part
  for (const [find, header] of [
    [findEmail, 'Email'],
    [findWebsite, 'Website'],
  ] as const) {
    const found = find(rest)
    if (found) addCell(cells, header, found)
    if (found) rest = rest.replace(found, '')
  }
  const number = phone.exec(rest)?.[0]
  if (number && number.replaceAll(/\D/g, '').length >= 7) {
    const before = rest.slice(0, rest.indexOf(number)).toLowerCase()
    addCell(cells, /mob|cell|handy/.test(before) ? 'Mobile phone' : before.includes('fax') ? 'Fax' : 'Phone', number.trim())
    rest = rest.replace(number, '').replace(/\b(tel(ephone|efon)?|phone|mob(ile|il)?|cell|handy|fax)\b\.?:?/i, '')
  }
  return rest === part ? part : rest.replaceAll(/^[\s,;:|<>()-]+|(?<![\s,;:|<>()-])[\s,;:|<>()-]+$/g, '')
}

function findEmail(text: string): string | undefined {
  const found = email.exec(text)
  return found ? `${found[1] ?? ''}${found[0]}` : undefined
}

const findWebsite = (text: string): string | undefined => website.exec(text)?.[0]

function chooseHeader(text: string, cells: Cells): Header {
  if (!cells.has('Company') && companyForm.test(text)) return 'Company'
  if (!cells.has('Title') && titleWord.test(text)) return 'Title'
  if (addressWords.test(text)) return 'Address'
  return !cells.has('Name') && text.length <= 80 && personName.test(text) ? 'Name' : 'Notes'
}

function addCell(cells: Cells, header: Header, value: string): void {
  const before = cells.get(header)
  if (before === undefined) cells.set(header, value.trim())
  else if (header === 'Address') cells.set(header, `${before}, ${value.trim()}`)
  else {
    const note = header === 'Notes' ? value : `${header}: ${value}`
    const notes = cells.get('Notes')
    cells.set('Notes', notes ? `${notes}\n${note}` : note)
  }
}

const toRow = (line: number, cells: Cells): TableRow => ({
  kind: 'record',
  line,
  cells: textHeaders.map((header) => cells.get(header) ?? ''),
})
