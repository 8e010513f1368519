import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { compile } from './compile.ts'

const Person = z.object({
  name: z.string().check(z.trim(), z.minLength(1)),
  born: z.optional(z.int()),
  tags: z.array(z.object({ id: z.uuid() })),
})
const schemas = {
  plain: Person,
  strict: z.strictObject({ person: Person }),
  loose: z.looseObject({ kind: z.literal('person') }),
  page: z.object({ rows: z.array(Person), next: z.nullable(z.string()) }),
  refined: Person.check(z.refine(({ born }) => born !== 0, 'Enter a year')),
}
const ada = { name: ' Ada ', tags: [{ id: '01930000-0000-7000-8000-0000000000c1', colour: 'red' }], secret: 1 }
/** Each value matches at least one of the schemas, or is wrong in one way. */
const values = [
  ada,
  { ...ada, born: 1815 },
  { ...ada, born: 0 },
  { ...ada, name: '' },
  { ...ada, tags: [{ id: 'none' }] },
  { name: 'Ada' },
  { person: ada },
  { person: ada, other: 1 },
  { kind: 'person', more: true },
  { rows: [ada, ada], next: null },
  { rows: [ada, { ...ada, born: 'yes' }], next: 'x' },
  null,
  [],
]

test.each(Object.entries(schemas))('the compiled %s schema gives the same results as the original one', (_name, schema) => {
  const compiled = compile(schema)
  expect(compiled).not.toBe(schema)
  for (const value of values) {
    const expected = z.safeParse(schema, value)
    const actual = z.safeParse(compiled, value)
    expect(actual.data).toEqual(expected.data)
    expect(actual.error?.issues).toEqual(expected.error?.issues)
  }
  expect(values.some((value) => z.safeParse(compiled, value).success)).toBe(true)
})
