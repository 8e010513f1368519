import * as z from 'zod/mini'
import { Refusal } from '#server/platform/refusal.ts'

z.config(z.locales.en()) // sentences for wrong fields

/** What the schema makes of it, or `invalid` with a sentence for each wrong field. */
export function checkInput<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const { success, data, error } = z.safeParse(schema, value)
  if (success) return data
  throw new Refusal('invalid', { fields: fieldSentences(error) })
}

function fieldSentences(error: z.core.$ZodError): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const issue of error.issues) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : ['']
    for (const name of names) {
      const path = [...issue.path.map(String), ...(name === '' ? [] : [name])].join('.')
      fields[path.slice(0, 200)] ??= issue.code === 'unrecognized_keys' ? 'This field is not known' : issue.message
    }
  }
  return fields
}
