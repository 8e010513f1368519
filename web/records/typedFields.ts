import * as z from 'zod/mini'

type Whole = 'whole' | 'any'

/** What a person types into a number field ("1,284.50", or nothing), given on to a schema of a number or null. */
export const typedNumber = <Schema extends z.ZodMiniType<unknown, number | null>>(schema: Schema, size: Whole = 'any') =>
  z.pipe(
    z.pipe(
      z.nullable(z.string()),
      z.transform((text: string | null, context): number | null => {
        const digits = (text ?? '').replaceAll(/[\s,'’]/g, '')
        if (digits === '') return null
        const number = Number(digits)
        if (size === 'whole' ? Number.isInteger(number) : Number.isFinite(number)) return number
        context.issues.push({ code: 'custom', message: size === 'whole' ? 'Enter a whole number' : 'Enter a number', input: text })
        return z.NEVER
      }),
    ),
    schema,
  )

/** A date field: nothing chosen is no date. */
export const typedDate = <Schema extends z.ZodMiniType<unknown, string | null>>(schema: Schema) =>
  z.pipe(
    z.pipe(
      z.nullable(z.string()),
      z.transform((text: string | null) => text || null),
    ),
    schema,
  )
