import * as z from 'zod/mini'

/** A count is exact up to here. */
export const countLimit = 1000

/** Most records that one call names by their ids, and most that it reaches by what they match. */
export const idsLimit = 1000
export const matchingLimit = 10_000

/** Most characters that the conditions of a list take as JSON. */
const filterLimit = 4000
const conditionsLimit = 12

/**
 * What a field holds, and so how it can be asked for: `text` has a part, `choice`, `link` and `tags` are one of several, `number`,
 * `date` and `instant` lie in a range; `date` may also be `overdue`, `today` or `upcoming`, judged in the owner's time zone, where the
 * days of an `instant` begin too. Each can be empty.
 */
export type FilterType = 'text' | 'choice' | 'link' | 'tags' | 'number' | 'date' | 'instant'
export type Filters = Readonly<Record<string, FilterType>>

/** The days that a date can be asked for by name, in the owner's time zone. */
const namedDays = ['overdue', 'today', 'upcoming'] as const
export type NamedDay = (typeof namedDays)[number]

/** A day of the calendar as `YYYY-MM-DD`. There is no year 0. */
export const Day = z.iso.date().check(z.refine((text) => !text.startsWith('0000'), 'Enter a day of the calendar'))

const word = z.string().check(
  z.maxLength(200),
  z.refine((text) => !text.includes('\0') && text.isWellFormed(), 'This text holds characters that nothing can hold'),
)

/** One condition on a field, with one of: a part it has, values it is one of, a range (both ends belong to it), or being empty. */
export const Condition = z.strictObject({
  field: z.string().check(z.maxLength(50)),
  has: z.optional(word.check(z.minLength(1))),
  is: z.optional(z.array(word).check(z.minLength(1), z.maxLength(100))),
  from: z.optional(z.union([z.number(), Day])),
  to: z.optional(z.union([z.number(), Day])),
  empty: z.optional(z.boolean()),
})
export type Condition = z.infer<typeof Condition>

/** The conditions that a list with these fields takes. All of them hold at once. */
export const conditionsOn = (filters: Filters) =>
  z
    .array(Condition.check(z.refine((condition) => isPossible(filters, condition), 'This cannot be asked of that field')))
    .check(z.maxLength(conditionsLimit))

/** The same as JSON text, as addresses carry it. */
export const conditionsAsText = (filters: Filters) =>
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
    conditionsOn(filters),
  )

export const SearchText = z._default(z.string().check(z.maxLength(200)), '')

/** What a list is asked for. Without an order, from A to Z, from small to large, from old to new; `newest` is always newest first. */
export const listQuery = <const Sort extends string>(sorts: readonly [Sort, ...Sort[]], filters: Filters) =>
  z.strictObject({
    search: SearchText,
    filter: z._default(conditionsAsText(filters), []),
    sort: z._default(z.enum(sorts), sorts[0]),
    order: z._default(z.enum(['asc', 'desc']), 'asc'),
    after: z.optional(z.string().check(z.maxLength(2000))),
    limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(200)), 50),
  })

export const countQuery = (filters: Filters) => z.strictObject({ search: SearchText, filter: z._default(conditionsAsText(filters), []) })

const operations: Record<FilterType, (condition: Condition) => boolean> = {
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
  const kind = Object.hasOwn(filters, condition.field) ? filters[condition.field] : undefined
  const { field: _, from, to, ...rest } = condition
  const said = Object.values(rest).filter((value) => value !== undefined).length + (from !== undefined || to !== undefined ? 1 : 0)
  return kind !== undefined && said === 1 && (condition.empty !== undefined || operations[kind](condition))
}

const isRange = (from: unknown, to: unknown, type: 'number' | 'string'): boolean =>
  (from !== undefined || to !== undefined) && [from, to].every((end) => end === undefined || typeof end === type)
