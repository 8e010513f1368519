import * as z from 'zod/mini'
import { exampleId } from './examples.ts'
import { wholeNumber } from './numbers.ts'
import { Instant } from './fields.ts'
import { defineRoutes } from './route.ts'
import { ParentRecord } from './search.ts'

/** The number of days in which a change can be undone and a deleted record restored. */
export const undoDays = 30

/**
 * The reasons why an undo skips a row. `edited` and `deleted`: the row was edited or deleted after the change. `in_use`: other rows refer
 * to the row. `parent_gone`: the row refers to a row that no longer exists. `exists`: a row with this id exists already. `column_gone`: a
 * migration removed the column. `blocked`: the change set of the row cannot be undone, because it would violate a constraint.
 */
export const SkippedReason = z.enum(['edited', 'deleted', 'in_use', 'parent_gone', 'exists', 'column_gone', 'blocked'])
export type SkippedReason = z.infer<typeof SkippedReason>

/** A row that an undo skipped. If `columns` is set, only these columns were skipped. */
export const SkippedRow = z.object({
  table: z.string(),
  id: z.uuid(),
  why: SkippedReason,
  columns: z.optional(z.array(z.string())),
})
export type SkippedRow = z.infer<typeof SkippedRow>

/** The progress of a change group's job, in steps. `total` is null while it is unknown. A failed job does not continue. */
const Progress = z.object({ done: z.int(), total: z.nullable(z.int()), finished: z.boolean(), failed: z.boolean() })

/** The maximum number of skipped rows in a `Change`; the route `skipped` returns all of them by page. */
export const maxSkippedInChange = 100

/**
 * The name of the API key that made a change, also after the key was deleted. Null for other actors, and for keys that were deleted before
 * Foyer stored this name.
 */
const ActorName = z.nullable(z.string())

/**
 * One action of an actor, as the user sees it: a change set, that is the changes of one transaction, or a change group, that is the change
 * sets of one job. Either is undone as a whole.
 */
export const Change = z.object({
  id: z.uuid(),
  at: Instant,
  actor: z.string(),
  actor_name: ActorName,
  label: z.string(),
  /** The number of rows that the action wrote directly. Rows that foreign keys changed by cascade are not counted. */
  count: z.int(),
  /** True while the change is undone; false again after a redo. */
  undone: z.boolean(),
  /** If the last undo of the change was redone: the id of the redo, whose undo undoes the change again. Otherwise null. */
  redo_id: z.nullable(z.uuid()),
  /** Null for a single change set. For a change group and its undo: the progress of the job that continues after the response. */
  progress: z.nullable(Progress),
  /** For an undo: the number of skipped rows by reason, and the first skipped rows. */
  skipped_counts: z.partialRecord(SkippedReason, z.int()),
  skipped: z.array(SkippedRow),
})
export type Change = z.infer<typeof Change>

/** An entry of a record's timeline. `before` and `after` are null if the change is older than 30 days. */
export const TimelineEntry = z.object({
  change: z.uuid(),
  at: Instant,
  actor: z.string(),
  actor_name: ActorName,
  label: z.string(),
  /** Set if the change was an undo, a redo or a restore. The undo of an undo is a redo. */
  reversal: z.nullable(z.enum(['undo', 'redo', 'restore'])),
  table: z.string(),
  operation: z.enum(['created', 'updated', 'deleted']),
  columns: z.array(z.object({ name: z.string(), before: z.unknown(), after: z.unknown() })),
  /**
   * Set if the entry is about a linked record and not about the requested record. `exists` has the same meaning as in `RecentChange`.
   * `parent` is null if the linked record has its own page or was deleted.
   */
  linked: z.optional(z.object({ id: z.uuid(), title: z.string(), exists: z.boolean(), parent: z.nullable(ParentRecord) })),
})
export type TimelineEntry = z.infer<typeof TimelineEntry>

/**
 * A change in the list of recent changes, with the first record that the change wrote. `title` is the current title of the record, or the
 * last title of a deleted record.
 */
export const RecentChange = z.object({
  change: z.uuid(),
  at: Instant,
  actor: z.string(),
  actor_name: ActorName,
  label: z.string(),
  reversal: TimelineEntry.shape.reversal,
  progress: Change.shape.progress,
  /** Null after the record's history was erased. */
  table: z.nullable(z.string()),
  id: z.nullable(z.uuid()),
  title: z.string(),
  /** True if the record still exists and is of a kind with titles. A user's profile, for example, has no title and cannot be opened. */
  exists: z.boolean(),
  /** The changed columns that tell what happened to an updated record, such as the stage of a deal. */
  columns: TimelineEntry.shape.columns,
})
export type RecentChange = z.infer<typeof RecentChange>

/** A deleted record that can be restored until `expires_at`. */
export const TrashEntry = z.object({
  id: z.uuid(),
  table: z.string(),
  title: z.string(),
  /**
   * The record whose deletion would also delete this record, such as the folder of a file. `exists` is false if the parent is deleted too.
   */
  parent: z.nullable(z.object({ table: z.string(), title: z.string(), exists: z.boolean() })),
  change: z.uuid(),
  deleted_at: Instant,
  expires_at: Instant,
})
export type TrashEntry = z.infer<typeof TrashEntry>

/** An undo that waits longer than this for another change of the owner is refused with `busy`, because a user waits for the response. */
const maxWaitSeconds = 5

const Cursor = z.optional(z.string().check(z.maxLength(200)))
const Limit = z._default(wholeNumber({ min: 1, max: 200 }), 50)
const Id = z.strictObject({ id: z.uuid() })

export const changeRoutes = defineRoutes({
  timeline: {
    method: 'GET',
    path: '/api/changes',
    summary: 'The changes of a record and of its linked records, newest first',
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
    query: z.strictObject({ limit: z._default(wholeNumber({ min: 1, max: 50 }), 10) }),
    out: z.object({ rows: z.array(RecentChange) }),
    example: { query: { limit: '5' } },
  },
  get: {
    method: 'GET',
    path: '/api/changes/{id}',
    summary: 'One change: a change set or a change group',
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
    summary: 'Undo a change. Rows that were edited later are skipped and listed. The undo of a change group continues after the response',
    caller: 'user',
    changes: 'journaled',
    params: Id,
    out: Change,
    maxWaitSeconds,
    responseIfRepeated: { fromRoute: 'get', idFrom: 'change' },
    errors: ['already_undone', 'undo_blocked', 'too_old', 'nothing_left', 'busy'],
    example: { params: { id: exampleId('change') } },
  },
  eraseHistory: {
    method: 'DELETE',
    path: '/api/changes',
    summary: 'Permanently delete all earlier changes and the trash. Continues after the response',
    caller: 'user',
    changes: { noUndo: 'The purpose of this route is permanent deletion.' },
    example: {},
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
    summary:
      'Restore a deleted record and the records that were deleted with it. The restore of very many records continues after the response',
    caller: 'user',
    changes: 'journaled',
    params: Id,
    out: Change,
    maxWaitSeconds,
    responseIfRepeated: { fromRoute: 'get', idFrom: 'change' },
    errors: ['undo_blocked', 'too_old', 'busy'],
    example: { params: { id: exampleId('deleted') } },
  },
  erase: {
    method: 'DELETE',
    path: '/api/trash/{id}',
    summary: 'Permanently delete a record in the trash and its history',
    caller: 'user',
    changes: { noUndo: 'The purpose of this route is permanent deletion.' },
    params: Id,
    example: { params: { id: exampleId('deleted') } },
  },
  eraseAll: {
    method: 'DELETE',
    path: '/api/trash',
    summary: 'Permanently delete everything in the trash',
    caller: 'user',
    changes: { noUndo: 'The purpose of this route is permanent deletion.' },
    example: {},
  },
})
