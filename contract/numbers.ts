import * as z from 'zod/mini'

type Limits = {
  min?: number
  max: number
  /** The message for larger numbers. */
  tooLarge?: string
}

/**
 * Returns the schema of a whole number in a path or a query: decimal digits without a sign, spaces and leading zeros, so that the same
 * number is always written in the same way. `z.coerce.number()` would also accept " 0", "0x0" and "1e0".
 */
export const wholeNumber = ({ min = 0, max, tooLarge = `At most ${max}` }: Limits) =>
  z.pipe(
    z
      .custom<string | number>(isDecimal, 'Enter a whole number')
      .register(z.globalRegistry, { type: 'integer', minimum: min, maximum: max }), // for the OpenAPI document
    z.pipe(
      z.transform((text: string | number) => Number(text)),
      z.int().check(z.gte(min, `At least ${min}`), z.lte(max, tooLarge)),
    ),
  )

/** Whether the value has at most 15 digits, which a JavaScript number represents exactly. */
const isDecimal = (value: unknown): boolean =>
  (typeof value === 'string' || typeof value === 'number') && /^(0|[1-9]\d{0,14})$/.test(String(value))
