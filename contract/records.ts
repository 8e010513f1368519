import * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'
import { exampleId } from './examples.ts'
import type { KindNames } from './kinds.ts'
import { conditionsOn, countQuery, idsLimit, listQuery, SearchText, type Filters } from './lists.ts'
import { defineRoutes } from './route.ts'

export const tagLimits = { length: 50, count: 20 } as const

/** Replaces line breaks and control characters by a space. */
const oneLine = z.overwrite<string>((text) => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim())

const Tag = z
  .string()
  .check(oneLine, z.minLength(1, 'Enter a tag'), z.maxLength(tagLimits.length, `At most ${tagLimits.length} characters`))

/** Tags that differ only by case or accents are one tag: the database compares them, and the first spelling stays. */
export const Tags = z.array(Tag).check(z.maxLength(tagLimits.count, `At most ${tagLimits.count} tags`))

/** Text of one line that may be empty. `limit` in characters. */
export const line = (limit: number) => z.string().check(oneLine, z.maxLength(limit, `At most ${limit} characters`))

/** Text of several lines that may be empty. */
export const prose = z.string().check(z.trim(), z.maxLength(20_000, 'At most 20,000 characters'))

/** Text of one line that must not be empty. `what` names it in the error: "first name". */
export const requiredLine = (what: string, limit: number) =>
  z.string().check(oneLine, z.minLength(1, `Enter a ${what}`), z.maxLength(limit, `At most ${limit} characters`))

/** An email, or empty. */
export const emailOrEmpty = line(254).check(
  z.refine((text) => text === '' || z.safeParse(z.email(), text).success, 'Enter an email like name@example.com'),
)

export const Instant = z.iso.datetime({ offset: true })
export const Version = z.optional(z.int32().check(z.gte(1)))

/** Columns of every record that the server writes. `version` counts the changes of the row; send it with an edit. */
export const systemFields = { id: z.uuid(), created_at: Instant, updated_at: Instant, version: z.int() }

/**
 * The fields as answers have them: of the same type but without the checks of input, because an import or an older rule may have
 * stored what a form would refuse.
 */
export function stored<Fields extends z.core.$ZodShape>(
  fields: Fields,
): { [Name in keyof Fields]: z.ZodMiniType<z.output<Fields[Name]>, z.output<Fields[Name]>> }
export function stored(fields: z.core.$ZodShape): z.core.$ZodShape {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, unchecked(field)]))
}

function unchecked(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodMiniNullable) return z.nullable(unchecked(schema.def.innerType))
  if (schema instanceof z.ZodMiniArray) return z.array(unchecked(schema.def.element))
  if (schema instanceof z.ZodMiniEnum) return schema
  if (schema instanceof z.ZodMiniString) return z.string()
  if (schema instanceof z.ZodMiniNumber) return z.number()
  throw new Error('A field of a record is a text, a number, a choice, or a list or null of these')
}

/** The id of a new record, made by the caller, so that a retry cannot add it twice. Its time may be wrong. */
export const GivenId = z.optional(z.uuidv7('Send a UUID of version 7'))

const Id = z.strictObject({ id: z.uuid() })

type Options<Full, Row, New, Patch, BulkPatch, Sort, Column> = {
  kind: KindNames
  /** A record with all of its fields. */
  Full: Full
  /** A record as lists show it. */
  Row: Row
  New: New
  /** The fields that an edit may change, and `version`. */
  Patch: Patch
  /** The fields that a bulk edit may change. */
  BulkPatch: BulkPatch
  /** The first is the default. */
  sorts: readonly [Sort, ...Sort[]]
  filters: Filters
  /** The columns of an export, in their order. */
  columns: readonly [Column, ...Column[]]
  /** The errors of creating a record beside those of every route. */
  createErrors?: readonly ErrorCode[]
  /** Requests for the tests that call every route. */
  example: { query: Record<string, string>; new: unknown; patch: unknown; bulkPatch: unknown }
}

/** The records of a bulk action: named by their ids, or all that match. */
export const selection = (filters: Filters) => ({
  ids: z.optional(z.array(z.uuid()).check(z.minLength(1), z.maxLength(idsLimit))),
  matching: z.optional(z.strictObject({ search: SearchText, filter: z._default(conditionsOn(filters), []) })),
})
export const isOneSelection = z.refine<{ ids?: unknown; matching?: unknown }>(
  ({ ids, matching }) => (ids === undefined) !== (matching === undefined),
  { error: 'Send either ids or matching', path: ['ids'] },
)

const isEachOnce = z.refine<unknown[]>((values) => new Set(values).size === values.length, 'Name each once')

/** The routes that every kind of record has. */
export function recordRoutes<
  Full extends z.ZodMiniType,
  Row extends z.ZodMiniType,
  New extends z.ZodMiniType,
  Patch extends z.ZodMiniType,
  BulkPatch extends z.ZodMiniType,
  const Sort extends string,
  const Column extends string,
>({
  kind: { singular, plural },
  Full,
  Row,
  New,
  Patch,
  BulkPatch,
  sorts,
  filters,
  columns,
  createErrors = [],
  example,
}: Options<Full, Row, New, Patch, BulkPatch, Sort, Column>) {
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
      out: Full,
      example: { params: { id } },
    },
    create: {
      method: 'POST',
      path,
      summary: `Add a ${singular}`,
      caller: 'user',
      changes: 'journaled',
      body: New,
      out: Full,
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
      out: Full,
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
      body: z.strictObject(selection(filters)).check(isOneSelection),
      errors: ['too_many'],
      example: { body: { ids } },
    },
    editMany: {
      method: 'POST',
      path: `${path}/bulk/edit`,
      summary: `Give some fields of several ${plural} the same value, as one change`,
      caller: 'user',
      changes: 'journaled',
      body: z.strictObject({ ...selection(filters), fields: BulkPatch }).check(isOneSelection),
      errors: ['too_many'],
      example: { body: { ids, fields: example.bulkPatch } },
    },
    export: {
      method: 'POST',
      path: `${path}/export`,
      summary: `${capitalised(plural)} as a file, one line each`,
      caller: 'user',
      changes: 'nothing',
      body: z
        .strictObject({
          ...selection(filters),
          columns: z._default(z.array(z.enum(columns)).check(z.minLength(1), z.maxLength(columns.length), isEachOnce), [...columns]),
          sort: z._default(z.enum(sorts), sorts[0]),
          order: z._default(z.enum(['asc', 'desc']), 'asc'),
        })
        .check(isOneSelection),
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
      body: z
        .strictObject({ ...selection(filters), add: z._default(Tags, []), remove: z._default(Tags, []) })
        .check(isOneSelection, isSomeTag),
      errors: ['too_many'],
      example: { body: { ids: [exampleId(singular)], add: ['Fair 2026'] } },
    },
  })
}

/** The path of the routes of a kind: `/api/companies`. */
const pathOf = (plural: KindNames['plural']) => `/api/${plural}` as const

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
