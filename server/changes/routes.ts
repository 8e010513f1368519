// Changes: the history of the owner's records, undo and trash. `titledTables` of the context are the tables whose rows have titles.
import { changeRoutes } from '#contract/changes.ts'
import { readCursor } from '#server/platform/database/cursor.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext, TitledTable } from '#server/platform/feature/context.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { mount, type Router } from '#server/platform/http/mount.ts'
import { refuseChangeOfTables, refuseRowOfTables } from '#server/platform/journal/closed-tables.ts'
import { eraseAll, eraseRow } from '#server/platform/journal/erase.ts'
import { describeChange, readRecentChanges, readSkippedRows, readTimeline, readTrash } from '#server/platform/journal/history.ts'
import type { Link } from '#server/platform/journal/linked.ts'
import { enqueue } from '#server/platform/jobs/enqueue.ts'
import { readIdAboveEarlierChanges } from '#server/platform/journal/erase-history.ts'
import { undo, isLargeUndo } from '#server/platform/journal/undo.ts'
import { continueInJob, createUndoGroupJobHandler } from '#server/platform/journal/undo-group.job.ts'
import { restoreRecord } from '#server/platform/records/verbs.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { eraseHistoryJob, createEraseHistoryJobHandler } from './erase-history.job.ts'
import { readTitles, type TitleAndParent } from './titles.ts'

/** A record in the history. `before` has the values of its row before its last deletion. */
type TitledRow = { id: string | null; table: string | null; before: Record<string, unknown> | null }

export const changeFeature: Feature = {
  mount: mountChanges,
  jobs: ({ database }) => [createUndoGroupJobHandler(database), createEraseHistoryJobHandler(database)],
  webScreens: [{ path: '/trash', module: 'web/trash/TrashPage.tsx' }],
}

function mountChanges(router: Router, { database, kinds, titledTables, tablesForSessionsOnly }: AppContext): void {
  const titleFunctions = new Map(titledTables.map(({ table, titleOf }) => [table, titleOf]))
  const timelineFields = new Map(titledTables.map(({ table, timelineFields: fields = [] }) => [table, fields]))
  const links = findLinksBetweenKinds(titledTables)
  /** Returns the current title, or the last title of a deleted record. `currentTitles` has the titles of existing records by id. */
  const findTitle = (currentTitles: ReadonlyMap<string, TitleAndParent>, { id, table, before }: TitledRow) => {
    const currentTitle = currentTitles.get(id ?? '')?.title
    const lastTitle = before && titleFunctions.get(table ?? '')?.(before)
    return { title: currentTitle ?? lastTitle ?? '', exists: currentTitle !== undefined }
  }

  /** Returns the tables whose changes the caller neither sees nor reverts. */
  const tablesClosedTo = ({ hasAllRights }: Caller): readonly string[] => (hasAllRights ? [] : tablesForSessionsOnly)

  /** Throws `not_found` if no table that the caller may read has the row. */
  const throwIfMissing = async (caller: Caller, id: string): Promise<void> => {
    const hiddenTables = tablesClosedTo(caller)
    const possibleRows = titledTables.flatMap(({ table }) => (hiddenTables.includes(table) ? [] : [{ table, id }]))
    if ((await readTitles(caller.owner, titledTables, possibleRows)).size === 0) throw new Refusal('not_found')
  }

  mount(router, changeRoutes, {
    timeline: ({ caller, query }) =>
      database.read(caller, async () => {
        const page = await readTimeline(caller.owner, query.record, readCursor(query.after), query.limit, {
          links,
          hiddenTables: tablesClosedTo(caller),
        })
        if (page.rows.length === 0 && query.after === undefined) await throwIfMissing(caller, query.record)
        const linkedRecords = page.rows.map(({ table, linkedId }) => ({ table, id: linkedId }))
        const currentTitles = await readTitles(caller.owner, titledTables, linkedRecords)
        const rows = page.rows.map(({ linkedId: id, before, ...entry }) => {
          if (id === null) return entry
          const parent = currentTitles.get(id)?.parent ?? null
          return { ...entry, linked: { id, parent, ...findTitle(currentTitles, { id, table: entry.table, before }) } }
        })
        return { ...page, rows }
      }),
    recent: ({ caller, query }) =>
      database.read(caller, async () => {
        const changes = await readRecentChanges(caller.owner, query.limit, tablesClosedTo(caller))
        const currentTitles = await readTitles(caller.owner, titledTables, changes)
        const rows = changes.map(({ before, columns, ...change }) => ({
          ...change,
          ...findTitle(currentTitles, { ...change, before }),
          columns: columns.filter(({ name }) => timelineFields.get(change.table ?? '')?.includes(name)),
        }))
        return { rows }
      }),
    get: ({ caller, params }) => database.read(caller, () => describeChange(caller.owner, params.id)),
    skipped: ({ caller, params, query }) =>
      database.read(caller, () => readSkippedRows(caller.owner, params.id, readCursor(query.after), query.limit)),
    undo: async ({ caller, params }) => {
      const isLarge = await database.read(caller, async () => {
        await refuseChangeOfTables(tablesClosedTo(caller), caller.owner, params.id)
        return isLargeUndo(params.id)
      })
      return database.longTransaction(caller, 'Undone', isLarge ? 'large' : 'small', async () => {
        const result = await undo(params.id)
        await continueInJob(result, caller)
        return describeChange(caller.owner, result.changeId)
      })
    },
    trash: ({ caller, query }) =>
      database.read(caller, async () => {
        const page = await readTrash(caller.owner, readCursor(query.after), query.limit, tablesClosedTo(caller))
        const parents = page.rows.flatMap(({ parent }) => parent ?? [])
        const currentTitles = await readTitles(caller.owner, titledTables, parents)
        const rows = page.rows.map(({ before, parent, ...row }) => ({
          ...row,
          title: titleFunctions.get(row.table)?.(before) ?? '',
          parent: parent && { table: parent.table, ...findTitle(currentTitles, parent) },
        }))
        return { ...page, rows }
      }),
    restore: async ({ caller, params }) => {
      const closedTables = tablesClosedTo(caller)
      if (closedTables.length > 0) await database.read(caller, () => refuseRowOfTables(closedTables, caller.owner, params.id))
      const changeId = await restoreRecord({ database, kinds }, caller, params.id)
      // without `queueSignal`, which ends the wait of a call in the queue: the read must not be refused after the write has succeeded
      const { queueSignal: _, ...readingCaller } = caller
      return database.read(readingCaller, () => describeChange(caller.owner, changeId))
    },
    erase: ({ caller, params }) => database.longTransaction(caller, 'Erased for good', 'small', () => eraseRow(params.id)),
    eraseAll: ({ caller }) =>
      database.longTransaction({ ...caller, timeoutMs: 120_000, freesSpace: true }, 'Erased for good', 'large', eraseAll),
    // because of the key, a second request before the job has started adds no second job
    eraseHistory: ({ caller }) =>
      database.transaction(caller, 'Erased the history for good', async () =>
        enqueue(eraseHistoryJob, { until: await readIdAboveEarlierChanges(), actor: caller.actor }, { key: 'all' }),
      ),
  })
}

/**
 * Returns the links between different kinds. The timeline of a record also shows changes of the records that such a link connects with it.
 * A link within a kind, such as the manager of a contact, is left out.
 */
const findLinksBetweenKinds = (tables: readonly TitledTable[]): Link[] =>
  tables.flatMap(({ table, singular, linksByConstraint = {}, timelineFields = [] }) =>
    Object.values(linksByConstraint)
      .filter(({ to }) => to.singular !== singular)
      .map(({ field, to }) => ({ table, field, to: to.table, timelineFields })),
  )
