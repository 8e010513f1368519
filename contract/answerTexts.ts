import type { FieldType } from './formFields.ts'

/**
 * Returns the text of an answer to a field of this type as the owner reads it: a date such as "Thursday, 24 December 2026", and a number with
 * the decimal sign of the locale. The digits of a number are not grouped, because it may be a year or a postal code.
 */
export function formatAnswerText(text: string, type: FieldType | undefined, locale: string): string {
  const time = type === 'date' ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(time)) return new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' }).format(time)
  if (type !== 'number') return text
  const parts = new Intl.NumberFormat(locale).formatToParts(0.5)
  return text.replace('.', parts.find((part) => part.type === 'decimal')?.value ?? '.')
}
