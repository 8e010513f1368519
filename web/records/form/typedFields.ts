import * as z from 'zod/mini'
import { parseNumber } from '#web/lib/numbers.ts'

type NumberSize = 'whole' | 'any'

/** Parses the text of a number field ("1,284.50") and passes the number to `schema`; an empty text becomes null. */
export const typedNumber = <Schema extends z.ZodMiniType<unknown, number | null>>(schema: Schema, size: NumberSize = 'any') =>
  z.pipe(
    z.pipe(
      z.nullable(z.string()),
      z.transform((text: string | null, context): number | null => {
        if (!text?.trim()) return null
        const number = parseNumber(text)
        if (number !== undefined && (size === 'any' || Number.isInteger(number))) return number
        const message = size === 'whole' ? 'Enter a whole number like 12' : 'Enter a number like 1,284.50'
        context.issues.push({ code: 'custom', message, input: text })
        return z.NEVER
      }),
    ),
    schema,
  )

/** Converts an empty date field to null and passes the date to `schema`. */
export const typedDate = <Schema extends z.ZodMiniType<unknown, string | null>>(schema: Schema) =>
  z.pipe(
    z.pipe(
      z.nullable(z.string()),
      z.transform((text: string | null) => text || null),
    ),
    schema,
  )
