import * as z from 'zod/mini'
import { describeNumberFormat, parseNumber } from '#web/lib/numbers.ts'

/** `whole` allows only whole numbers. */
type NumberType = 'whole' | 'any'

/** Creates a schema that converts the text of a number field ("1,284.50") and passes the number to `schema`. An empty text becomes null. */
export const numberFromText = <Schema extends z.ZodMiniType<unknown, number | null>>(schema: Schema, type: NumberType = 'any') =>
  z.pipe(
    z.pipe(
      z.nullable(z.string()),
      z.transform((text: string | null, context): number | null => {
        if (!text?.trim()) return null
        const number = parseNumber(text)
        if (number !== undefined && (type === 'any' || Number.isInteger(number))) return number
        const message = type === 'whole' ? 'Enter a whole number like 12' : describeNumberFormat()
        context.issues.push({ code: 'custom', message, input: text })
        return z.NEVER
      }),
    ),
    schema,
  )
