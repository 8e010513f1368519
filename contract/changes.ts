import * as z from 'zod/mini'
import { exampleId } from './examples.ts'
import { defineRoutes } from './route.ts'

/** How long a change can be undone and a deleted record restored. */
export const undoDays = 30

const At = z.iso.datetime({ offset: true })

/** Why an undo left a row as it is. */
export const SkippedReason = z.enum(['edited', 'deleted', 'in_use', 'parent_gone', 'exists', 'column_gone', 'blocked'])
export type SkippedReason = z.infer<typeof SkippedReason>

/** A row that an undo left as it is; `columns` when it left only these. */
export const SkippedRow = z.object({
  table: z.string(),
  id: z.uuid(),
  why: SkippedReason,
  columns: z.optional(z.array(z.string())),
})
export type SkippedRow = z.infer<typeof SkippedRow>

/** Of a change group: how far its job is, in steps; `total` where it is known. */
const Progress = z.object({ done: z.int(), total: z.nullable(z.int()), finished: z.boolean() })

/** A change carries at most so many of its skipped rows; the others are read in pages. */
export const maxSkippedInChange = 100

/** A change set, or a group of them: one thing that an actor did, in the owner's words. */
export const Change = z.object({
  id: z.uuid(),
  at: At,
  actor: z.string(),
  label: z.string(),
  /** Rows that it wrote directly, without those changed by cascade. */
  count: z.int(),
  undone: z.boolean(),
  /** Null when the change is no group. The undo of a group goes on after its answer. */
  progress: z.nullable(Progress),
  /** Of an undo: how many rows it skipped, by reason, and the first of them. */
  skipped_counts: z.partialRecord(SkippedReason, z.int()),
  skipped: z.array(SkippedRow),
})
export type Change = z.infer<typeof Change>

/** One line of a record's timeline. Values are null where they are older than 30 days. */
export const TimelineEntry = z.object({
  change: z.uuid(),
  at: At,
  actor: z.string(),
  label: z.string(),
  /** Whether the change was an undo, a redo or a restore; null for other work. The undo of an undo is a redo. */
  by: z.nullable(z.enum(['undo', 'redo', 'restore'])),
  table: z.string(),
  operation: z.enum(['created', 'updated', 'deleted']),
  columns: z.array(z.object({ name: z.string(), before: z.unknown(), after: z.unknown() })),
  /** The linked record that the entry is about, when it is not the requested record itself; see `RecentChange`. */
  linked: z.optional(z.object({ id: z.uuid(), title: z.string(), exists: z.boolean() })),
})
export type TimelineEntry = z.infer<typeof TimelineEntry>

/** A change as an entry of a list, with the first record that it wrote. `title` is its current title, or its last one. */
export const RecentChange = z.object({
  change: z.uuid(),
  at: At,
  actor: z.string(),
  label: z.string(),
  by: TimelineEntry.shape.by,
  progress: Change.shape.progress,
  /** Null once its history was erased. */
  table: z.nullable(z.string()),
  id: z.nullable(z.uuid()),
  title: z.string(),
  /** Whether the record still exists and its kind has titles. */
  exists: z.boolean(),
})
export type RecentChange = z.infer<typeof RecentChange>

/** A deleted record that can be restored until `expires_at`. */
export const TrashEntry = z.object({
  id: z.uuid(),
  table: z.string(),
  title: z.string(),
  change: z.uuid(),
  deleted_at: At,
  expires_at: At,
})
export type TrashEntry = z.infer<typeof TrashEntry>

const Cursor = z.optional(z.string().check(z.maxLength(200)))
const Limit = z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(200)), 50)
const Id = z.strictObject({ id: z.uuid() })

export const changeRoutes = defineRoutes({
  timeline: {
    method: 'GET',
    path: '/api/changes',
    summary: 'The changes of a record and of what is linked to it, newest first',
    caller: 'user',
    changes: 'nothing',
    query: z.strictObject({ record: z.uuid(), after: Cursor, limit: Limit }),
    out: z.object({ rows: z.array(TimelineEntry), next: z.nullable(z.string()) }),
    example: { query: { record: exampleId('contact') } },
  },
  recent: {
    method: 'GET',
    path: '/api/changes/recent',
    summary: 'The changes of the workspace, newest first',
    caller: 'user',
    changes: 'nothing',
    query: z.strictObject({ limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(50)), 10) }),
    out: z.object({ rows: z.array(RecentChange) }),
    example: { query: { limit: '5' } },
  },
  get: {
    method: 'GET',
    path: '/api/changes/{id}',
    summary: 'One change set',
    caller: 'user',
    changes: 'nothing',
    params: Id,
    out: Change,
    example: { params: { id: exampleId('change') } },
  },
  skipped: {
    method: 'GET',
    path: '/api/changes/{id}/skipped',
    summary: 'The rows that an undo skipped, in pages',
    caller: 'user',
    changes: 'nothing',
    params: Id,
    query: z.strictObject({ after: Cursor, limit: Limit }),
    out: z.object({ rows: z.array(SkippedRow), next: z.nullable(z.string()) }),
    example: { params: { id: exampleId('change') } },
  },
  undo: {
    method: 'POST',
    path: '/api/changes/{id}/undo',
    summary: 'Undo a change; what was edited since is skipped and listed. The undo of a group goes on after the answer',
    caller: 'user',
    changes: 'journaled',
    params: Id,
    out: Change,
    repeats: { route: 'get', id: 'change' },
    errors: ['already_undone', 'undo_blocked', 'too_old'],
    example: { params: { id: exampleId('change') } },
  },
  trash: {
    method: 'GET',
    path: '/api/trash',
    summary: 'Deleted records of the last 30 days, newest first',
    caller: 'user',
    changes: 'nothing',
    query: z.strictObject({ after: Cursor, limit: Limit }),
    out: z.object({ rows: z.array(TrashEntry), next: z.nullable(z.string()) }),
    example: {},
  },
  restore: {
    method: 'POST',
    path: '/api/trash/{id}/restore',
    summary: 'Restore one deleted record, with what was deleted with it',
    caller: 'user',
    changes: 'journaled',
    params: Id,
    out: Change,
    repeats: { route: 'get', id: 'change' },
    errors: ['undo_blocked', 'too_old'],
    example: { params: { id: exampleId('deleted') } },
  },
  erase: {
    method: 'DELETE',
    path: '/api/trash/{id}',
    summary: 'Erase a deleted record and its history for good',
    caller: 'user',
    changes: { noInverse: 'erasing for good is what it is for' },
    params: Id,
    example: { params: { id: exampleId('deleted') } },
  },
  eraseAll: {
    method: 'DELETE',
    path: '/api/trash',
    summary: 'Erase everything in the trash for good',
    caller: 'user',
    changes: { noInverse: 'erasing for good is what it is for' },
    example: {},
  },
})
