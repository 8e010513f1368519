import * as z from 'zod/mini'

/** Counts of a list are exact up to this number. */
export const countLimit = 1000

/** The maximum number of ids in a bulk action, and of records that its filter may match. */
export const idsLimit = 1000
export const matchingLimit = 10_000

/** The maximum length of a list's conditions as JSON, in characters, and their maximum number. */
const filterLimit = 4000
const conditionsLimit = 12

/**
 * The type of a filter decides which conditions are allowed. `text`: contains a text, or equals one of several. `choice`, `link`, `tags`:
 * equals one of several values. `number`, `date`, `instant`: a range. `date` also allows `overdue`, `today` and `upcoming`. Days are in
 * the owner's time zone. Every type allows the conditions "empty" and "not empty".
 */
export type FilterType = 'text' | 'choice' | 'link' | 'tags' | 'number' | 'date' | 'instant'
export type Filters = Readonly<Record<string, FilterType>>

/** Days relative to today in the owner's time zone. */
const namedDays = ['overdue', 'today', 'upcoming'] as const
export type NamedDay = (typeof namedDays)[number]

/** A calendar date as `YYYY-MM-DD`. PostgreSQL has no year 0. */
export const Day = z.iso.date().check(z.refine((text) => !text.startsWith('0000'), 'Enter a day of the calendar'))

const word = z.string().check(
  z.maxLength(200),
  z.refine((text) => !text.includes('\0') && text.isWellFormed(), 'This text has characters that cannot be stored'),
)

/** One condition on a field: contains a text (`has`), equals one of several values (`is`), is in a range (bounds included), or is empty or not. */
export const Condition = z.strictObject({
  field: z.string().check(z.maxLength(50)),
  has: z.optional(word.check(z.minLength(1))),
  is: z.optional(z.array(word).check(z.minLength(1), z.maxLength(100))),
  from: z.optional(z.union([z.number(), Day])),
  to: z.optional(z.union([z.number(), Day])),
  empty: z.optional(z.boolean()),
})
export type Condition = z.infer<typeof Condition>

/** The schema of a list's conditions, which are combined with "and". */
export const conditionsSchema = (filters: Filters) =>
  z
    .array(Condition.check(z.refine((condition) => isPossible(filters, condition), 'This cannot be asked of that field')))
    .check(z.maxLength(conditionsLimit))

/** The schema of a list's conditions as JSON text in a query parameter. */
export const conditionsParameter = (filters: Filters) =>
  z.pipe(
    z.pipe(
      z.string().check(z.maxLength(filterLimit)),
      z.transform((text: string, context): unknown => {
        try {
          return JSON.parse(text)
        } catch {
          context.issues.push({ code: 'custom', message: 'Write the conditions as JSON', input: text })
          return z.NEVER
        }
      }),
    ),
    conditionsSchema(filters),
  )

export const SearchText = z._default(z.string().check(z.maxLength(200)), '')

/** The query parameters of a list. The sort `newest` is always newest first, whatever the `order`. */
export const listQuery = <const Sort extends string>(sorts: readonly [Sort, ...Sort[]], filters: Filters) =>
  z.strictObject({
    search: SearchText,
    filter: z._default(conditionsParameter(filters), []),
    sort: z._default(z.enum(sorts), sorts[0]),
    order: z._default(z.enum(['asc', 'desc']), 'asc'),
    after: z.optional(z.string().check(z.maxLength(2000))),
    limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(200)), 50),
  })

export const countQuery = (filters: Filters) => z.strictObject({ search: SearchText, filter: z._default(conditionsParameter(filters), []) })

const isConditionOf: Record<FilterType, (condition: Condition) => boolean> = {
  text: ({ has, is }) => has !== undefined || is !== undefined,
  choice: ({ is }) => is !== undefined,
  tags: ({ is }) => is !== undefined,
  link: ({ is }) => is?.every((id) => z.safeParse(z.uuid(), id).success) ?? false,
  number: ({ from, to }) => isRange(from, to, 'number'),
  date: ({ from, to, is }) => isRange(from, to, 'string') || (is?.every(isNamedDay) ?? false),
  instant: ({ from, to }) => isRange(from, to, 'string'),
}

const days: readonly string[] = namedDays
export const isNamedDay = (text: string): text is NamedDay => days.includes(text)

function isPossible(filters: Filters, condition: Condition): boolean {
  const type = Object.hasOwn(filters, condition.field) ? filters[condition.field] : undefined
  const { field: _, from, to, ...rest } = condition
  const count = Object.values(rest).filter((value) => value !== undefined).length + (from !== undefined || to !== undefined ? 1 : 0)
  return type !== undefined && count === 1 && (condition.empty !== undefined || isConditionOf[type](condition))
}

const isRange = (from: unknown, to: unknown, type: 'number' | 'string'): boolean =>
  (from !== undefined || to !== undefined) && [from, to].every((end) => end === undefined || typeof end === type)
