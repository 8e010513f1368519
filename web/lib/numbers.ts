import { formatNumber } from './format.ts'

/**
 * Parses a typed number with a decimal point or comma: "1,284.50", "1.284,50", "1250,5", "1 284". A single point or comma before exactly
 * three digits separates thousands, except after a leading zero; otherwise it is the decimal mark. Returns undefined for other texts.
 */
export function parseNumber(text: string): number | undefined {
  const compactText = text.replaceAll(/[\s'’]/g, '') // spaces and apostrophes can separate thousands
  const decimalMark = findDecimalMark(compactText)
  const whole = decimalMark ? compactText.slice(0, compactText.lastIndexOf(decimalMark)) : compactText
  const fraction = decimalMark ? compactText.slice(compactText.lastIndexOf(decimalMark) + 1) : ''
  // a mark that separates thousands cannot also be the decimal mark
  const hasGroups = thousandsGroups.test(whole) && !(decimalMark && whole.includes(decimalMark))
  const isWholeValid = hasGroups || /^-?\d*$/.test(whole)
  const isFractionValid = /^\d*$/.test(fraction)
  const hasDigit = /\d/.test(whole + fraction)
  if (!isWholeValid || !isFractionValid || !hasDigit) return undefined
  return Number(`${whole.replaceAll(/[.,]/g, '')}.${fraction}`)
}

/** The message for a text that is no number: "Enter a number like 1,284.50", with the separators of the profile's country. */
export const describeNumberFormat = (): string => `Enter a number like ${formatNumber(1284.5, { minimumFractionDigits: 2 })}`

/** Matches whole numbers with commas or points before every three digits: "1,284", "1.284.000". */
const thousandsGroups = /^-?[1-9]\d{0,2}((,\d{3})+|(\.\d{3})+)$/

/** Returns the decimal mark; undefined when the number has no mark or all its marks separate thousands. */
function findDecimalMark(text: string): ',' | '.' | undefined {
  if (thousandsGroups.test(text)) return undefined
  const comma = text.lastIndexOf(',')
  const point = text.lastIndexOf('.')
  if (comma === point) return undefined // both are -1
  return comma > point ? ',' : '.'
}
