/**
 * Parses a typed number with a decimal point or comma: "1,284.50", "1.284,50", "1250,5", "1 284". A single comma before exactly three
 * digits separates thousands; otherwise it is the decimal mark. Returns undefined for other texts.
 */
export function parseNumber(text: string): number | undefined {
  const digits = text.replaceAll(/[\s'’]/g, '')
  const decimal = decimalMark(digits)
  const whole = decimal ? digits.slice(0, digits.lastIndexOf(decimal)) : digits
  const rest = decimal ? digits.slice(digits.lastIndexOf(decimal) + 1) : ''
  const isGrouped = /^-?\d{1,3}((,\d{3})+|(\.\d{3})+)$/.test(whole) && !(decimal && whole.includes(decimal))
  if (!(isGrouped || /^-?\d*$/.test(whole)) || !/^\d*$/.test(rest) || !/\d/.test(whole + rest)) return undefined
  return Number(`${whole.replaceAll(/[.,]/g, '')}.${rest}`)
}

/** Returns the decimal mark; undefined when there is none or all marks separate thousands. */
function decimalMark(digits: string): ',' | '.' | undefined {
  const [comma, dot] = [digits.lastIndexOf(','), digits.lastIndexOf('.')]
  if (comma >= 0 && dot >= 0) return comma > dot ? ',' : '.'
  if (comma >= 0) return /^-?\d{1,3}(,\d{3})+$/.test(digits) ? undefined : ','
  return dot >= 0 && digits.indexOf('.') === dot ? '.' : undefined
}
