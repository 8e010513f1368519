// What all record kinds share: the columns that the server sets, and their routes.
import * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'
import { exampleId } from './examples.ts'
import { Instant, Tags } from './fields.ts'
import { apiPathOf, type KindDefinition } from './kinds.ts'
import { conditionsSchema, countQuery, maxSelectedIds, listQuery, SearchText, type Filters } from './lists.ts'
import { defineRoutes } from './route.ts'

/** The version of the record that an edit started from. */
export const Version = z.optional(z.int32().check(z.gte(1)))

/** The columns that the server sets on every record. `version` counts the changes of the row; clients send it with an edit. */
export const systemFields = { id: z.uuid(), created_at: Instant, updated_at: Instant, version: z.int() }

/**
 * The id that a client may choose for a new record, so that a retry cannot add the record twice. The timestamp in the id is not checked.
 */
export const NewRecordId = z.optional(z.uuidv7('Send a UUID of version 7'))

const Id = z.strictObject({ id: z.uuid() })

type RecordRouteOptions<FullRecord, Row, New, Patch, BulkPatch, Sort, Column> = {
  kind: KindDefinition
  /** A record with all of its fields. */
  FullRecord: FullRecord
  /** A record in a list. */
  Row: Row
  /** The fields of a new record. */
  New: New
  /** The fields that an edit can change, and `version`. */
  Patch: Patch
  /** The fields that a bulk edit can change. */
  BulkPatch: BulkPatch
  /** The first sort is the default. */
  sorts: readonly [Sort, ...Sort[]]
  filters: Filters
  /** The columns of an export, in their order. */
  columns: readonly [Column, ...Column[]]
  /** Additional errors of the route that creates a record. */
  createErrors?: readonly ErrorCode[]
  /** Examples of the routes' input, for the OpenAPI document and the tests that call every route. */
  example: { query: Record<string, string>; new: unknown; patch: unknown; bulkPatch: unknown }
}

/** The fields of a bulk action's selection: either `ids`, or `matching` for all records that match a search and a filter. */
export const selection = (filters: Filters) => ({
  ids: z.optional(z.array(z.uuid()).check(z.minLength(1), z.maxLength(maxSelectedIds))),
  matching: z.optional(z.strictObject({ search: SearchText, filter: z._default(conditionsSchema(filters), []) })),
})
export const hasExactlyOneSelection = z.refine<{ ids?: unknown; matching?: unknown }>(
  ({ ids, matching }) => (ids === undefined) !== (matching === undefined),
  { error: 'Send either ids or matching', path: ['ids'] },
)

const hasNoDuplicates = z.refine<unknown[]>((columns) => new Set(columns).size === columns.length, 'Name each column only once')

/** Returns the routes that every record kind has. */
export function recordRoutes<
  FullRecord extends z.ZodMiniType,
  Row extends z.ZodMiniType,
  New extends z.ZodMiniType,
  Patch extends z.ZodMiniType,
  BulkPatch extends z.ZodMiniType,
  const Sort extends string,
  const Column extends string,
>({
  kind: { singular, plural },
  FullRecord,
  Row,
  New,
  Patch,
  BulkPatch,
  sorts,
  filters,
  columns,
  createErrors = [],
  example,
}: RecordRouteOptions<FullRecord, Row, New, Patch, BulkPatch, Sort, Column>) {
  const path = apiPathOf(plural)
  const id = exampleId(singular)
  const ids = [id]
  return defineRoutes({
    list: {
      method: 'GET',
      path,
      summary: `A page of ${plural}, searched, filtered and sorted`,
      caller: 'user',
      changes: 'nothing',
      query: listQuery(sorts, filters),
      out: z.object({ rows: z.array(Row), next: z.nullable(z.string()) }),
      example: { query: example.query },
    },
    count: {
      method: 'GET',
      path: `${path}/count`,
      summary: `The number of ${plural} that match; up to 1,000 are counted`,
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
      out: FullRecord,
      example: { params: { id } },
    },
    create: {
      method: 'POST',
      path,
      summary: `Add a ${singular}`,
      caller: 'user',
      changes: 'journaled',
      body: New,
      out: FullRecord,
      status: 201,
      responseIfRepeated: { fromRoute: 'get', idFrom: 'record' },
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
      out: FullRecord,
      responseIfRepeated: { fromRoute: 'get' },
      errors: ['conflict'],
      example: { params: { id }, body: example.patch },
    },
    delete: {
      method: 'DELETE',
      path: `${path}/{id}`,
      summary: `Delete a ${singular}; it stays in the trash for 30 days`,
      caller: 'user',
      changes: 'journaled',
      mayContinue: true,
      params: Id,
      example: { params: { id } },
    },
    deleteMany: {
      method: 'POST',
      path: `${path}/bulk/delete`,
      summary: `Delete several ${plural} as one change`,
      caller: 'user',
      changes: 'journaled',
      mayContinue: true,
      body: z.strictObject(selection(filters)).check(hasExactlyOneSelection),
      errors: ['too_many'],
      example: { body: { ids } },
    },
    editMany: {
      method: 'POST',
      path: `${path}/bulk/edit`,
      summary: `Set fields of several ${plural} as one change`,
      caller: 'user',
      changes: 'journaled',
      body: z.strictObject({ ...selection(filters), fields: BulkPatch }).check(hasExactlyOneSelection),
      errors: ['too_many'],
      example: { body: { ids, fields: example.bulkPatch } },
    },
    export: {
      method: 'POST',
      path: `${path}/export`,
      summary: `Export ${plural} as CSV`,
      caller: 'user',
      changes: 'nothing',
      body: z
        .strictObject({
          ...selection(filters),
          columns: z._default(z.array(z.enum(columns)).check(z.minLength(1), z.maxLength(columns.length), hasNoDuplicates), [...columns]),
          sort: z._default(z.enum(sorts), sorts[0]),
          order: z._default(z.enum(['asc', 'desc']), 'asc'),
        })
        .check(hasExactlyOneSelection),
      file: 'text/csv',
      errors: ['too_many_requests'],
      example: { body: { ids } },
    },
  })
}

const addsOrRemovesTag = z.refine<{ add: string[]; remove: string[] }>(({ add, remove }) => add.length + remove.length > 0, {
  error: 'Enter a tag to add or to remove',
  path: ['add'],
})

/** Returns the additional routes of a record kind with tags. */
export function tagRoutes({ singular, plural }: KindDefinition, filters: Filters) {
  const path = apiPathOf(plural)
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
      summary: `Add and remove tags of several ${plural} as one change`,
      caller: 'user',
      changes: 'journaled',
      body: z
        .strictObject({ ...selection(filters), add: z._default(Tags, []), remove: z._default(Tags, []) })
        .check(hasExactlyOneSelection, addsOrRemovesTag),
      errors: ['too_many'],
      example: { body: { ids: [exampleId(singular)], add: ['Fair 2026'] } },
    },
  })
}
