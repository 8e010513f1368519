// Reads the phone numbers of cells and rows.
import type { ImportedKind } from './column-mapping.ts'
import { conceptsOf } from './headers.ts'
import { isUrl, maxLength, readDate, withoutInvisible } from './values.ts'

/** A part of a cell without the word before it, such as "Tel.". `isMobile`: the word is "Mobile" or the like. */
type Part = { text: string; isMobile: boolean }

/** A word before a number that says no more than the fields do. Others, such as "office", stay with their numbers. */
const prefix = /^(?:tel(?:efon|ephone)?|fon|phone|(mob(?:ile?)?|handy|cell|gsm))\s*[.:][.:\s]*/i

/**
 * Splits a cell into phone numbers. They are separated by ":::", ";", "|", " / ", "or", a line break, or a comma before a plus sign. A
 * " / " after fewer than seven digits separates the area code, as in "0351 / 123456".
 */
const splitCell = (cell: string): Part[] =>
  withoutInvisible(cell.slice(0, maxLength))
    .split(/:::|[;|\n]|,(?=\s*\+)|\s(?:or|oder|bzw\.|ou)\s/i)
    .flatMap(splitAtSlashes)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => ({ text: part.replace(prefix, '').trim(), isMobile: prefix.exec(part)?.[1] !== undefined }))

/** Splits a text at each " / " that is not in a phone number. */
function splitAtSlashes(text: string): string[] {
  const numbers: string[] = []
  for (const part of text.split(/\s\/\s/)) {
    const before = numbers.at(-1)
    const isAreaCode = before !== undefined && /^[+(\d][\d\s()+-]*$/.test(before.trim()) && before.replaceAll(/\D/g, '').length < 7
    if (isAreaCode) numbers.push(`${numbers.pop() ?? ''} / ${part}`)
    else numbers.push(part)
  }
  return numbers
}

/** Whether the part is a phone number. A date is none; "20121212" can be both. */
function isNumber({ text }: Part): boolean {
  const digits = text.replaceAll(/\D/g, '').length
  const isDate = !/^\d+$/.test(text) && readDate(text) !== undefined
  return digits >= 5 && digits <= 20 && text.length <= 50 && !text.includes('@') && !isUrl(text) && !isDate
}

const findParts = (cell: string): Part[] => splitCell(cell).filter(isNumber)

/** Returns the phone numbers of a cell. */
export const findPhones = (cell: string): string[] => findParts(cell).map(({ text }) => text)

/** Whether the numbers are all that is in the cell. */
export const hasOnlyPhones = (cell: string, numbers: readonly unknown[]): boolean =>
  cell.length <= maxLength && splitCell(cell).every(({ text }) => numbers.includes(text))

/** Whether the cell is only a phone number, as people write them. Numbers such as ids have no plus, leading zero or separators. */
export const isPhone = (cell: string): boolean =>
  /^(\+|00|0|\()?[\d\s().\-–/]{5,}(\s*(x|ext\.?|extension|dw|wew\.?)\s*\d+)?$/i.test(cell.trim()) &&
  /^\s*[+0(]|\d[\s().\-–/]+\d/.test(cell) &&
  cell.replaceAll(/\D/g, '').length >= 7 &&
  !/^\d+[.,]\d{1,2}$|^\d{1,3}([.,\s]\d{3})+([.,]\d+)?$/.test(cell.trim()) &&
  findPhones(cell).length > 0

type PhoneCell = { text: string; mapping: { labelColumn?: number } }

/**
 * Returns the phone numbers of a row by field. Of a contact, a second mobile number becomes the phone if there is no other, and the other
 * way round, but only if it is in the same cell: a column such as "Home phone" has no mobile number. Leaves out fax numbers.
 */
export function readPhones(
  kind: ImportedKind,
  cellsOf: (field: string) => readonly PhoneCell[],
  row: readonly string[],
): { phone: string[]; mobile_phone: string[] } {
  const mobile = cellsOf('mobile_phone').flatMap(({ text }) => findPhones(text))
  const others: string[] = []
  const further: string[] = []
  for (const { text, mapping } of cellsOf('phone')) {
    const label = conceptsOf(row[mapping.labelColumn ?? -1] ?? '')
    if (label.has('fax')) continue
    const parts = Map.groupBy(findParts(text), ({ isMobile }) => kind === 'contact' && (isMobile || label.has('mobile')))
    mobile.push(...(parts.get(true) ?? []).map((part) => part.text))
    const [first, ...rest] = (parts.get(false) ?? []).map((part) => part.text)
    if (first === undefined) continue
    // a number after another word, as in "Fax: 089 123", is no mobile number
    if (others.length === 0) further.push(...rest.filter((number) => number !== first && /^[+(\d]/.test(number)))
    others.push(first, ...rest)
  }
  return { phone: others.length > 0 ? others : mobile.slice(1), mobile_phone: mobile.length > 0 ? mobile : further }
}
