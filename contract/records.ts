import * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'
import { exampleId } from './examples.ts'
import type { KindNames } from './kinds.ts'
import { conditionsOn, countQuery, idsLimit, listQuery, SearchText, type Filters } from './lists.ts'
import { defineRoutes } from './route.ts'

export const tagLimits = { length: 50, count: 20 } as const

/** What ends a line, or shows nothing at all, becomes a blank. */
const oneLine = z.overwrite<string>((text) => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim())

const Tag = z
  .string()
  .check(oneLine, z.minLength(1, 'Enter a tag'), z.maxLength(tagLimits.length, `At most ${tagLimits.length} characters`))

/** Words that a person puts on a record. The same word in other letters is the same tag, as the database tells; the first spelling stays. */
export const Tags = z.array(Tag).check(z.maxLength(tagLimits.count, `At most ${tagLimits.count} tags`))

/** A field of one line that may be empty. */
export const line = (limit: number) => z.string().check(oneLine, z.maxLength(limit, `At most ${limit} characters`))

/** A text of several lines that may be empty. */
export const prose = z.string().check(z.trim(), z.maxLength(20_000, 'At most 20,000 characters'))

/** A field of one line without which there is no record. `what` it is: "first name". */
export const requiredLine = (what: string, limit: number) =>
  z.string().check(oneLine, z.minLength(1, `Enter a ${what}`), z.maxLength(limit, `At most ${limit} characters`))

/** An email, or empty. */
export const emailOrEmpty = line(254).check(
  z.refine((text) => text === '' || z.safeParse(z.email(), text).success, 'Enter an email like name@example.com'),
)

export const At = z.iso.datetime({ offset: true })
export const Version = z.optional(z.int32().check(z.gte(1)))

/** What stands beside the fields of every record. `version` counts every change of the row; send it with an edit. */
export const systemFields = { id: z.uuid(), created_at: At, updated_at: At, version: z.int() }

/** Of a new record, made by the caller, so that a retry cannot add it twice. Its time is not judged: clocks are wrong. */
export const GivenId = z.optional(z.uuidv7('Send a UUID of version 7'))

const Id = z.strictObject({ id: z.uuid() })

type Kind<Kept, Row, New, Patch, Edit, Sort, Column> = {
  kind: KindNames
  Kept: Kept
  Row: Row
  New: New
  /** What an edit may change, and `version`. */
  Patch: Patch
  /** What an edit of many may change. */
  Edit: Edit
  /** The first is the usual one. */
  sorts: readonly [Sort, ...Sort[]]
  filters: Filters
  /** The columns of an export, in their order. */
  columns: readonly [Column, ...Column[]]
  /** How adding one fails, beside what any call may. */
  createErrors?: readonly ErrorCode[]
  /** What is sent and asked for by the tests that go through every route. */
  example: { query: Record<string, string>; new: unknown; patch: unknown; edit: unknown }
}

/** The records that a call is about: named by their ids, or all that match. */
export const chosen = (filters: Filters) => ({
  ids: z.optional(z.array(z.uuid()).check(z.minLength(1), z.maxLength(idsLimit))),
  matching: z.optional(z.strictObject({ search: SearchText, filter: z._default(conditionsOn(filters), []) })),
})
export const isChosenOnce = z.refine<{ ids?: unknown; matching?: unknown }>(
  ({ ids, matching }) => (ids === undefined) !== (matching === undefined),
  { error: 'Send either ids or matching', path: ['ids'] },
)

const isEachOnce = z.refine<unknown[]>((values) => new Set(values).size === values.length, 'Name each once')

/** The routes that every kind of record has. */
export function recordRoutes<
  Kept extends z.ZodMiniType,
  Row extends z.ZodMiniType,
  New extends z.ZodMiniType,
  Patch extends z.ZodMiniType,
  Edit extends z.ZodMiniType,
  const Sort extends string,
  const Column extends string,
>({
  kind: { singular, plural },
  Kept,
  Row,
  New,
  Patch,
  Edit,
  sorts,
  filters,
  columns,
  createErrors = [],
  example,
}: Kind<Kept, Row, New, Patch, Edit, Sort, Column>) {
  const path = pathOf(plural)
  const id = exampleId(singular)
  const ids = [id]
  return defineRoutes({
    list: {
      method: 'GET',
      path,
      summary: `${capitalised(plural)} by page, searched, filtered and sorted`,
      caller: 'user',
      changes: 'nothing',
      query: listQuery(sorts, filters),
      out: z.object({ rows: z.array(Row), next: z.nullable(z.string()) }),
      example: { query: example.query },
    },
    count: {
      method: 'GET',
      path: `${path}/count`,
      summary: `How many ${plural} a search finds, exact to 1,000`,
      caller: 'user',
      changes: 'nothing',
      query: countQuery(filters),
      out: z.object({ count: z.int(), more: z.boolean() }),
      example: { query: { search: example.query['search'] ?? '' } },
    },
    get: {
      method: 'GET',
      path: `${path}/{id}`,
      summary: `One ${singular}`,
      caller: 'user',
      changes: 'nothing',
      params: Id,
      out: Kept,
      example: { params: { id } },
    },
    create: {
      method: 'POST',
      path,
      summary: `Add a ${singular}`,
      caller: 'user',
      changes: 'journaled',
      body: New,
      out: Kept,
      status: 201,
      repeats: { route: 'get', id: 'record' },
      errors: createErrors,
      example: { body: example.new },
    },
    update: {
      method: 'PATCH',
      path: `${path}/{id}`,
      summary: `Change some fields of a ${singular}`,
      caller: 'user',
      changes: 'journaled',
      params: Id,
      body: Patch,
      out: Kept,
      repeats: { route: 'get', id: 'params' },
      errors: ['conflict'],
      example: { params: { id }, body: example.patch },
    },
    delete: {
      method: 'DELETE',
      path: `${path}/{id}`,
      summary: `Delete a ${singular}; it stays in the trash for 30 days`,
      caller: 'user',
      changes: 'journaled',
      params: Id,
      example: { params: { id } },
    },
    deleteMany: {
      method: 'POST',
      path: `${path}/bulk/delete`,
      summary: `Delete several ${plural} as one change`,
      caller: 'user',
      changes: 'journaled',
      body: z.strictObject(chosen(filters)).check(isChosenOnce),
      errors: ['too_many'],
      example: { body: { ids } },
    },
    editMany: {
      method: 'POST',
      path: `${path}/bulk/edit`,
      summary: `Give some fields of several ${plural} the same value, as one change`,
      caller: 'user',
      changes: 'journaled',
      body: z.strictObject({ ...chosen(filters), fields: Edit }).check(isChosenOnce),
      errors: ['too_many'],
      example: { body: { ids, fields: example.edit } },
    },
    export: {
      method: 'POST',
      path: `${path}/export`,
      summary: `${capitalised(plural)} as a file, one line each`,
      caller: 'user',
      changes: 'nothing',
      body: z
        .strictObject({
          ...chosen(filters),
          columns: z._default(z.array(z.enum(columns)).check(z.minLength(1), z.maxLength(columns.length), isEachOnce), [...columns]),
          sort: z._default(z.enum(sorts), sorts[0]),
          order: z._default(z.enum(['asc', 'desc']), 'asc'),
        })
        .check(isChosenOnce),
      file: 'text/csv',
      errors: ['too_many_requests'],
      example: { body: { ids } },
    },
  })
}

const isSomeTag = z.refine<{ add: string[]; remove: string[] }>(({ add, remove }) => add.length + remove.length > 0, {
  error: 'Enter a tag to put on or take off',
  path: ['add'],
})

/** The routes of records that carry tags. */
export function tagRoutes({ singular, plural }: KindNames, filters: Filters) {
  const path = pathOf(plural)
  return defineRoutes({
    tags: {
      method: 'GET',
      path: `${path}/tags`,
      summary: `The tags of all ${plural}, the most used first`,
      caller: 'user',
      changes: 'nothing',
      out: z.object({ tags: z.array(z.object({ tag: z.string(), count: z.int() })) }),
      example: {},
    },
    tagMany: {
      method: 'POST',
      path: `${path}/bulk/tag`,
      summary: `Put tags on several ${plural} and take others off, as one change`,
      caller: 'user',
      changes: 'journaled',
      body: z.strictObject({ ...chosen(filters), add: z._default(Tags, []), remove: z._default(Tags, []) }).check(isChosenOnce, isSomeTag),
      errors: ['too_many'],
      example: { body: { ids: [exampleId(singular)], add: ['Fair 2026'] } },
    },
  })
}

/** Where the routes of a kind stand: `/api/companies`. */
const pathOf = (plural: KindNames['plural']) => `/api/${plural}` as const

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
