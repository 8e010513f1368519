import * as z from 'zod/mini'
import { apiPathOf, type KindDefinition } from './kinds.ts'
import { countQuery, type Filters, type FilterType } from './lists.ts'
import { defineRoutes } from './route.ts'

/**
 * The number of records that have a value in the field, and the sum, average, smallest and largest of the values. `group` is the value of
 * the field by which the records are grouped; null without groups. `average`, `smallest` and `largest` are null if no record has a value.
 */
const Sum = z.object({
  group: z.nullable(z.string()),
  /** All records of the group, also those without a value. */
  count: z.int(),
  with_value: z.int(),
  sum: z.number(),
  average: z.nullable(z.number()),
  smallest: z.nullable(z.number()),
  largest: z.nullable(z.number()),
})

/** Returns the additional route of a record kind with number fields. Only fields with a filter can be summed and grouped. */
export function sumRoutes({ plural }: KindDefinition, filters: Filters, exampleField: string) {
  const fields = namesOfType(filters, 'number')
  const groups = namesOfType(filters, 'choice')
  return defineRoutes({
    sum: {
      method: 'GET',
      path: `${apiPathOf(plural)}/sum`,
      summary: `The sum, average, smallest and largest value of a number field of the ${plural} that match, also in groups`,
      caller: 'user',
      changes: 'nothing',
      query: z.extend(countQuery(filters), {
        field: z.enum(fields),
        group_by: z.optional(groups.length === 0 ? z.never() : z.enum(groups)),
      }),
      out: z.object({ rows: z.array(Sum) }),
      example: { query: { field: exampleField } },
    },
  })
}

const namesOfType = (filters: Filters, type: FilterType): string[] => Object.keys(filters).filter((name) => filters[name] === type)
