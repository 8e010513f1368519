// Changes: what happened to the owner's records, and the way back. Knows no table; features name their records.
import { changeRoutes } from '#contract/changes.ts'
import { readCursor } from '#server/platform/database/keyset.ts'
import type { House, NamedTable } from '#server/platform/feature.ts'
import { mount, type Door } from '#server/platform/http/mount.ts'
import { eraseAll, eraseRow } from '#server/platform/journal/erase.ts'
import { describeChange, recentChanges, timeline, trash } from '#server/platform/journal/history.ts'
import { restore, undo } from '#server/platform/journal/undo.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { readTitles } from './titles.ts'

export function mountChanges(door: Door, { database }: House, tables: readonly NamedTable[]): void {
  const titles = new Map(tables.map(({ table, nameOf }) => [table, nameOf]))

  mount(door, changeRoutes, {
    timeline: ({ who, query }) =>
      database.read(who, async () => {
        const page = await timeline(who.owner, query.record, readCursor(query.after), query.limit)
        if (page.rows.length === 0 && query.after === undefined) throw new Refusal('not_found')
        return page
      }),
    recent: ({ who, query }) =>
      database.read(who, async () => {
        const changes = await recentChanges(who.owner, query.limit)
        const here = await readTitles(who.owner, tables, changes)
        const rows = changes.map(({ before, ...change }) => {
          const title = here.get(change.id ?? '')
          const last = before && titles.get(change.table ?? '')?.(before)
          return { ...change, title: title ?? last ?? '', exists: title !== undefined }
        })
        return { rows }
      }),
    get: ({ who, params }) => database.read(who, () => describeChange(who.owner, params.id)),
    undo: ({ who, params }) =>
      database.transaction(who, 'Undone', async () => {
        const { change } = await undo(params.id)
        return describeChange(who.owner, change)
      }),
    trash: async ({ who, query }) => {
      const page = await database.read(who, () => trash(who.owner, readCursor(query.after), query.limit))
      return { ...page, rows: page.rows.map(({ before, ...row }) => ({ ...row, title: titles.get(row.table)?.(before) ?? '' })) }
    },
    restore: ({ who, params }) =>
      database.transaction(who, 'Restored', async () => {
        const { change } = await restore(params.id)
        return describeChange(who.owner, change)
      }),
    erase: ({ who, params }) => database.transaction(who, 'Erased for good', () => eraseRow(params.id)),
    eraseAll: ({ who }) => database.transaction({ ...who, timeoutMs: 120_000 }, 'Erased for good', eraseAll),
  })
}
