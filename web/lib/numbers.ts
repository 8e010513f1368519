/**
 * Parses a typed number with a decimal point or comma: "1,284.50", "1.284,50", "1250,5", "1 284". A single comma before exactly three
 * digits separates thousands; otherwise it is the decimal mark. Returns undefined for other texts.
 */
export function parseNumber(text: string): number | undefined {
  const number = text.replaceAll(/[\s'’]/g, '') // spaces and apostrophes can separate thousands
  const decimal = findDecimalMark(number)
  const whole = decimal ? number.slice(0, number.lastIndexOf(decimal)) : number
  const fraction = decimal ? number.slice(number.lastIndexOf(decimal) + 1) : ''
  const hasGroups = /^-?\d{1,3}((,\d{3})+|(\.\d{3})+)$/.test(whole) && !(decimal && whole.includes(decimal)) // "1,284", "1.284.000"
  const isWholeValid = hasGroups || /^-?\d*$/.test(whole)
  const isFractionValid = /^\d*$/.test(fraction)
  const hasDigit = /\d/.test(whole + fraction)
  if (!isWholeValid || !isFractionValid || !hasDigit) return undefined
  return Number(`${whole.replaceAll(/[.,]/g, '')}.${fraction}`)
}

/** Returns the decimal mark; undefined when the number has no mark or all its marks separate thousands. */
function findDecimalMark(number: string): ',' | '.' | undefined {
  const comma = number.lastIndexOf(',')
  const dot = number.lastIndexOf('.')
  if (comma >= 0 && dot >= 0) return comma > dot ? ',' : '.'
  if (comma >= 0) return /^-?\d{1,3}(,\d{3})+$/.test(number) ? undefined : ','
  const hasOneDot = dot >= 0 && number.indexOf('.') === dot
  return hasOneDot ? '.' : undefined
}
