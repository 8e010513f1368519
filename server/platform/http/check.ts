// Checks what requests contain and what handlers return, with the schemas of the contract.
import * as z from 'zod/mini'
import { Refusal } from '#server/platform/refusal.ts'
import { compile } from './compile.ts'

z.config(z.locales.en()) // the language of zod's messages

/** Parses a value. Throws `invalid` with a message for each wrong field. */
export function checkInput<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const { success, data, error } = z.safeParse(schema, value)
  if (success) return data
  throw new Refusal('invalid', { fields: messagesByField(error) })
}

/** The maximum number of wrong fields in a response. A body of 1 MB may have 100,000. */
const maxWrongFields = 100

/** Removes the fields that are not in the schema. Throws when a field of the schema does not match. */
export type OutputCheck = (result: unknown) => unknown

/** Returns the check of the responses of a route, with the schema of its contract. */
export function createOutputCheck(schema: z.ZodMiniType): OutputCheck {
  const compiled = compile(schema)
  return (result) => z.parse(compiled, result)
}

/** Returns the first message of each wrong field, such as `tags.0`. zod reports all unknown fields in one issue; each gets a message. */
function messagesByField({ issues }: z.core.$ZodError): Record<string, string> {
  const wrongFields = issues.slice(0, maxWrongFields).flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [{ path: issue.path, message: issue.message }]
    return issue.keys.slice(0, maxWrongFields).map((key) => ({ path: [...issue.path, key], message: 'This field is not known' }))
  })
  const fields = new Map<string, string>()
  for (const { path, message } of wrongFields.slice(0, maxWrongFields)) {
    const name = path.map(String).join('.').slice(0, 200)
    if (!fields.has(name)) fields.set(name, message)
  }
  return Object.fromEntries(fields)
}
