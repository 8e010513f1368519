// Changes: the history of the owner's records, undo and trash. Features declare the tables whose rows have titles.
import { changeRoutes } from '#contract/changes.ts'
import { readCursor } from '#server/platform/database/cursor.ts'
import type { AppContext, TitledTable } from '#server/platform/feature/context.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { mount, type Router } from '#server/platform/http/mount.ts'
import { enqueue } from '#server/platform/jobs/enqueue.ts'
import { eraseAll, eraseRow } from '#server/platform/journal/erase.ts'
import { describeChange, recentChanges, skippedRows, timeline, trash } from '#server/platform/journal/history.ts'
import type { Link } from '#server/platform/journal/linked.ts'
import { undo, isLargeChange } from '#server/platform/journal/undo.ts'
import { restoreRecord } from '#server/platform/records/verbs.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { readTitles } from './titles.ts'
import { handleUndoGroupJobs, undoGroupJob } from './undo-group.job.ts'

/** A record, and the values of its row when it was last deleted. */
type TitledRow = { id: string | null; table: string | null; before: Record<string, unknown> | null }

export const changeFeature: Feature = {
  mount: mountChanges,
  jobs: ({ database }) => [handleUndoGroupJobs(database)],
  screens: [{ path: '/trash', module: 'web/trash/TrashPage.tsx' }],
}

function mountChanges(router: Router, { database, tables }: AppContext): void {
  const titles = new Map(tables.map(({ table, titleOf }) => [table, titleOf]))
  const links = linksOf(tables)
  const titleOf = (living: ReadonlyMap<string, string>, { id, table, before }: TitledRow) => {
    const title = living.get(id ?? '')
    const last = before && titles.get(table ?? '')?.(before)
    return { title: title ?? last ?? '', exists: title !== undefined }
  }

  mount(router, changeRoutes, {
    timeline: ({ caller, query }) =>
      database.read(caller, async () => {
        const page = await timeline(caller.owner, query.record, readCursor(query.after), query.limit, links)
        if (page.rows.length === 0 && query.after === undefined) throw new Refusal('not_found')
        const living = await readTitles(
          caller.owner,
          tables,
          page.rows.map(({ table, linked: id }) => ({ table, id })),
        )
        const rows = page.rows.map(({ linked: id, before, ...entry }) =>
          id === null ? entry : { ...entry, linked: { id, ...titleOf(living, { id, table: entry.table, before }) } },
        )
        return { ...page, rows }
      }),
    recent: ({ caller, query }) =>
      database.read(caller, async () => {
        const changes = await recentChanges(caller.owner, query.limit)
        const living = await readTitles(caller.owner, tables, changes)
        const rows = changes.map(({ before, ...change }) => ({ ...change, ...titleOf(living, { ...change, before }) }))
        return { rows }
      }),
    get: ({ caller, params }) => database.read(caller, () => describeChange(caller.owner, params.id)),
    skipped: ({ caller, params, query }) =>
      database.read(caller, () => skippedRows(caller.owner, params.id, readCursor(query.after), query.limit)),
    undo: async ({ caller, params }) => {
      const isLarge = await database.read(caller, () => isLargeChange(params.id))
      return database.longTransaction(caller, 'Undone', isLarge ? 'large' : 'small', async () => {
        const { change, isGroup } = await undo(params.id)
        if (isGroup) await enqueue(undoGroupJob, { group: change, actor: caller.actor }, { key: change })
        return describeChange(caller.owner, change)
      })
    },
    trash: async ({ caller, query }) => {
      const page = await database.read(caller, () => trash(caller.owner, readCursor(query.after), query.limit))
      return { ...page, rows: page.rows.map(({ before, ...row }) => ({ ...row, title: titles.get(row.table)?.(before) ?? '' })) }
    },
    restore: async ({ caller, params }) => {
      const change = await restoreRecord({ database }, caller, params.id)
      return database.read(caller, () => describeChange(caller.owner, change))
    },
    erase: ({ caller, params }) => database.longTransaction(caller, 'Erased for good', 'small', () => eraseRow(params.id)),
    eraseAll: ({ caller }) => database.longTransaction({ ...caller, timeoutMs: 120_000 }, 'Erased for good', 'large', eraseAll),
  })
}

/** Returns the links from rows to records of other kinds. */
const linksOf = (tables: readonly TitledTable[]): Link[] =>
  tables.flatMap(({ table, singular, links = {}, timelineFields = [] }) =>
    Object.values(links).flatMap(({ field, to }) => (to.singular === singular ? [] : [{ table, field, to: to.table, timelineFields }])),
  )
