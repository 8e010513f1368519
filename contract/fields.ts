// The schemas of the values of fields, such as texts, emails, phones, days and tags.
import * as z from 'zod/mini'

export const tagLimits = { length: 50, count: 20 } as const

/** Replaces line breaks and control characters by a space, and trims the text. */
const oneLine = z.overwrite<string>((text) => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim())

/**
 * Matches a text of characters that cannot be seen. `DI`: characters of zero width, and fillers. `Cc`: control characters. `Cf`: format
 * characters. `Z`: spaces. U+2800: the empty character of Braille.
 */
const invisibleText = /^[\p{DI}\p{Cc}\p{Cf}\p{Z}\u2800]+$/u

/** Returns true if the text has characters, and none of them can be seen. */
export const isInvisible = (text: string): boolean => invisibleText.test(text)

/** Checks that refuse a text that is empty or consists of invisible characters. */
export const visibleText = (message: string) => [z.minLength(1, message), z.refine<string>((text) => !isInvisible(text), message)] as const

const Tag = z
  .string()
  .check(oneLine, ...visibleText('Enter a tag'), z.maxLength(tagLimits.length, `At most ${tagLimits.length} characters`))

/** The tags of a record. The database drops a tag that differs from an earlier tag of the record only by case or accents. */
export const Tags = z.array(Tag).check(z.maxLength(tagLimits.count, `At most ${tagLimits.count} tags`))

/** Text of one line that may be empty. `limit` is in characters. */
export const singleLineText = (limit: number) => z.string().check(oneLine, z.maxLength(limit, `At most ${limit} characters`))

/** Text of several lines that may be empty. */
export const multilineText = z.string().check(z.trim(), z.maxLength(20_000, 'At most 20,000 characters'))

/** Text of one line that must not be empty. The error message "Enter a first name" uses `name`. `limit` is in characters. */
export const requiredText = (name: string, limit: number) =>
  z.string().check(oneLine, ...visibleText(`Enter a ${name}`), z.maxLength(limit, `At most ${limit} characters`))

/** An email, or empty. */
export const emailOrEmpty = z.string().check(
  oneLine,
  z.overwrite(toAsciiDomain),
  z.maxLength(254, 'At most 254 characters'),
  z.refine((text) => text === '' || z.safeParse(z.email(), text).success, 'Enter an email like name@example.com'),
)

/** A phone number, or empty. It may contain words, such as "ext." or the name of an office. */
export const phoneOrEmpty = singleLineText(50).check(
  z.refine((text) => text === '' || /\p{Nd}/u.test(text), 'Enter a phone number like +44 20 7946 0118'),
)

export const dayLimits = { first: '1900-01-01', last: '2199-12-31' } as const

/** A day that a user enters in a record, as `YYYY-MM-DD`. Without limits, a year that is typed as "26" would be stored as the year 26. */
export const RecordDay = z.iso
  .date()
  .check(
    z.refine((day) => day >= dayLimits.first && day <= dayLimits.last, 'Enter a date from 1900 to 2199, with all four digits of the year'),
  )

/** A time, in ISO format with its offset. */
export const Instant = z.iso.datetime({ offset: true })

/**
 * Returns the schemas of the fields in responses: the same types without the checks of input, because an import or an older version of the
 * contract may have stored values that the checks would refuse.
 */
export function removeInputChecks<Fields extends z.core.$ZodShape>(
  fields: Fields,
): { [Name in keyof Fields]: z.ZodMiniType<z.output<Fields[Name]>, z.output<Fields[Name]>> }
export function removeInputChecks(fields: z.core.$ZodShape): z.core.$ZodShape {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, withoutChecks(field)]))
}

function withoutChecks(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodMiniNullable) return z.nullable(withoutChecks(schema.def.innerType))
  if (schema instanceof z.ZodMiniArray) return z.array(withoutChecks(schema.def.element))
  if (schema instanceof z.ZodMiniEnum) return schema
  if (schema instanceof z.ZodMiniString) return z.string()
  if (schema instanceof z.ZodMiniNumber) return z.number()
  throw new Error('Unsupported schema of a record field')
}

/** Node and browsers have it, but the contract is compiled without the types of either. */
declare const URL: { parse: (text: string) => { hostname: string } | null }

/**
 * Returns an email with its domain in ASCII letters, as inputs of browsers send it: "ada@bücher.example" as "ada@xn--bcher-kva.example".
 * Returns another text unchanged.
 */
export function toAsciiDomain(text: string): string {
  const at = text.lastIndexOf('@')
  const domain = text.slice(at + 1)
  // a character such as "/" or ":" would end the name of the host
  if (at < 1 || !/[^\0-\x7F]/.test(domain) || !/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return text
  const address = URL.parse(`http://${domain}`)
  return address ? `${text.slice(0, at)}@${address.hostname}` : text
}
