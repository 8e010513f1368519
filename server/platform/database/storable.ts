/** Removes NUL and replaces unpaired surrogates by U+FFFD. PostgreSQL can store neither. */
export const toStorableText = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** Returns a JSON value in which all texts can be stored. */
export function toStorable(value: unknown): unknown {
  if (typeof value === 'string') return toStorableText(value)
  if (Array.isArray(value)) return value.map(toStorable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, nested]) => [toStorableText(name), toStorable(nested)]))
}
