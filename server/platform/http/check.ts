import * as z from 'zod/mini'
import { Refusal } from '#server/platform/refusal.ts'
import { compile } from './compile.ts'

z.config(z.locales.en()) // sentences for wrong fields

/** Parses with the schema. Throws `invalid` with a sentence for each wrong field. */
export function checkInput<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const { success, data, error } = z.safeParse(schema, value)
  if (success) return data
  throw new Refusal('invalid', { fields: fieldSentences(error) })
}

/** More are not named: a body of 1 MB may hold 100,000 wrong fields. */
const maxWrongFields = 100

/** Drops the fields that the schema does not name. Throws when the rest does not fit. */
export type OutputCheck = (result: unknown) => unknown

export function outputCheck(schema: z.ZodMiniType): OutputCheck {
  const compiled = compile(schema)
  return (result) => z.parse(compiled, result)
}

function fieldSentences({ issues }: z.core.$ZodError): Record<string, string> {
  const found = issues.slice(0, maxWrongFields).flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [{ path: issue.path, sentence: issue.message }]
    return issue.keys.slice(0, maxWrongFields).map((key) => ({ path: [...issue.path, key], sentence: 'This field is not known' }))
  })
  const fields = new Map<string, string>()
  for (const { path, sentence } of found.slice(0, maxWrongFields)) {
    const name = path.map(String).join('.').slice(0, 200)
    if (!fields.has(name)) fields.set(name, sentence)
  }
  return Object.fromEntries(fields)
}
