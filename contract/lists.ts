import * as z from 'zod/mini'
import { wholeNumber } from './numbers.ts'

/** The route `count` counts up to this number of records. If there are more, `more` in its response is true. */
export const maxCountedRecords = 1000

/** The maximum number of ids in a bulk action. */
export const maxSelectedIds = 1000
/** The maximum number of records that the filter of a bulk action may match. */
export const maxMatchingRecords = 10_000

/** The maximum length of a filter as JSON, in characters. */
const filterLimit = 4000
/** The maximum number of conditions in a filter. */
const conditionsLimit = 12

/**
 * The type of a filtered field decides which conditions are allowed. `text`: contains a text, or equals one of several texts. `choice`,
 * `link`, `tags`: equals one of several values. `number`, `date`, `instant`: a range. `date` also allows `overdue`, `today` and
 * `upcoming`. Days are in the owner's time zone. Every type allows the conditions "empty" and "not empty".
 */
export type FilterType = 'text' | 'choice' | 'link' | 'tags' | 'number' | 'date' | 'instant'
/** The fields by which the records of a kind can be filtered. */
export type Filters = Readonly<Record<string, FilterType>>

/** Days relative to today in the owner's time zone. */
const namedDays = ['overdue', 'today', 'upcoming'] as const
export type NamedDay = (typeof namedDays)[number]

/** A calendar date as `YYYY-MM-DD`. PostgreSQL has no year 0. */
export const Day = z.iso.date().check(z.refine((text) => !text.startsWith('0000'), 'Enter a day of the calendar'))

const FilterText = z.string().check(
  z.maxLength(200),
  // PostgreSQL cannot store NUL and unpaired surrogates
  z.refine((text) => !text.includes('\0') && text.isWellFormed(), 'This text has characters that cannot be stored'),
)

/**
 * A condition on a field, with one operator. `has`: the field contains the text. `is`: the field equals one of the values. `from` and `to`:
 * the field is in the range, bounds included. `empty`: whether the field is empty.
 */
export const Condition = z.strictObject({
  field: z.string().check(z.maxLength(50)),
  has: z.optional(FilterText.check(z.minLength(1))),
  is: z.optional(z.array(FilterText).check(z.minLength(1), z.maxLength(100))),
  from: z.optional(z.union([z.number(), Day])),
  to: z.optional(z.union([z.number(), Day])),
  empty: z.optional(z.boolean()),
})
export type Condition = z.infer<typeof Condition>

/** Returns the schema of a filter: a list of conditions that are combined with "and". */
export const conditionsSchema = (filters: Filters) =>
  z
    .array(Condition.check(z.refine((condition) => isAllowed(filters, condition), 'This field does not support this condition')))
    .check(z.maxLength(conditionsLimit))

/** Returns the schema of a filter as JSON text in a query parameter. */
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

/**
 * A part of a text around the words that a search found. `marks` are the ranges of these words in `text`, in UTF-16 code units, `end`
 * excluded. `page` is null if the text has no pages.
 */
export const Passage = z.object({
  text: z.string(),
  marks: z.array(z.object({ start: z.int(), end: z.int() })),
  page: z.nullable(z.int()),
})
export type Passage = z.infer<typeof Passage>

/** Returns the schema of a list's query parameters. The sort `newest` ignores `order`: the newest record is always first. */
export const listQuery = <const Sort extends string>(sorts: readonly [Sort, ...Sort[]], filters: Filters) =>
  z.strictObject({
    search: SearchText,
    filter: z._default(conditionsParameter(filters), []),
    sort: z._default(z.enum(sorts), sorts[0]),
    order: z._default(z.enum(['asc', 'desc']), 'asc'),
    after: z.optional(z.string().check(z.maxLength(2000))),
    limit: z._default(wholeNumber({ min: 1, max: 200 }), 50),
  })

export const countQuery = (filters: Filters) => z.strictObject({ search: SearchText, filter: z._default(conditionsParameter(filters), []) })

/** For each type: whether the type allows the operator of the condition. The operator `empty` is checked elsewhere. */
const allowsOperator: Record<FilterType, (condition: Condition) => boolean> = {
  text: ({ has, is }) => has !== undefined || is !== undefined,
  choice: ({ is }) => is !== undefined,
  tags: ({ is }) => is !== undefined,
  link: ({ is }) => is?.every((id) => z.safeParse(z.uuid(), id).success) ?? false,
  number: ({ from, to }) => isRangeOf('number', from, to),
  date: ({ from, to, is }) => isRangeOf('string', from, to) || (is?.every(isNamedDay) ?? false),
  instant: ({ from, to }) => isRangeOf('string', from, to),
}

export const isNamedDay = (text: string): text is NamedDay => namedDays.some((day) => day === text)

/** Whether the field can be filtered, the condition has exactly one operator, and the type of the field allows the operator. */
function isAllowed(filters: Filters, condition: Condition): boolean {
  const { field, has, is, from, to, empty } = condition
  const type = Object.hasOwn(filters, field) ? filters[field] : undefined
  const hasRange = from !== undefined || to !== undefined
  const operators = [has !== undefined, is !== undefined, hasRange, empty !== undefined].filter((isPresent) => isPresent)
  if (type === undefined || operators.length !== 1) return false
  return empty !== undefined || allowsOperator[type](condition)
}

/** Whether at least one bound is set, and each set bound has the type. */
function isRangeOf(type: 'number' | 'string', from: unknown, to: unknown): boolean {
  const bounds = [from, to].filter((bound) => bound !== undefined)
  return bounds.length > 0 && bounds.every((bound) => typeof bound === type)
}
