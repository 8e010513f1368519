// Changes: what happened to the owner's records, and the way back. Knows no table; features name their records.
import { changeRoutes } from '#contract/changes.ts'
import { readCursor } from '#server/platform/database/keyset.ts'
import type { House, NamedTable } from '#server/platform/feature.ts'
import { mount, type Door } from '#server/platform/http/mount.ts'
import { eraseAll, eraseRow } from '#server/platform/journal/erase.ts'
import { describeChange, recentChanges, timeline, trash } from '#server/platform/journal/history.ts'
import type { Link } from '#server/platform/journal/linked.ts'
import { restore, undo, wroteMany } from '#server/platform/journal/undo.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { readTitles } from './titles.ts'

/** A record, and what it was when it was last deleted. */
type Before = { id: string | null; table: string | null; before: Record<string, unknown> | null }

export function mountChanges(door: Door, { database }: House, tables: readonly NamedTable[]): void {
  const titles = new Map(tables.map(({ table, nameOf }) => [table, nameOf]))
  const links = linksOf(tables)
  const called = (here: ReadonlyMap<string, string>, { id, table, before }: Before) => {
    const title = here.get(id ?? '')
    const last = before && titles.get(table ?? '')?.(before)
    return { title: title ?? last ?? '', exists: title !== undefined }
  }

  mount(door, changeRoutes, {
    timeline: ({ who, query }) =>
      database.read(who, async () => {
        const page = await timeline(who.owner, query.record, readCursor(query.after), query.limit, links)
        if (page.rows.length === 0 && query.after === undefined) throw new Refusal('not_found')
        const here = await readTitles(
          who.owner,
          tables,
          page.rows.map(({ table, linked: id }) => ({ table, id })),
        )
        const rows = page.rows.map(({ linked: id, before, ...entry }) =>
          id === null ? entry : { ...entry, linked: { id, ...called(here, { id, table: entry.table, before }) } },
        )
        return { ...page, rows }
      }),
    recent: ({ who, query }) =>
      database.read(who, async () => {
        const changes = await recentChanges(who.owner, query.limit)
        const here = await readTitles(who.owner, tables, changes)
        const rows = changes.map(({ before, ...change }) => ({ ...change, ...called(here, { ...change, before }) }))
        return { rows }
      }),
    get: ({ who, params }) => database.read(who, () => describeChange(who.owner, params.id)),
    undo: async ({ who, params }) => {
      const isLarge = await database.read(who, () => wroteMany(params.id))
      return database.inLine(who, 'Undone', isLarge ? 'large' : 'small', async () => {
        const { change } = await undo(params.id)
        return describeChange(who.owner, change)
      })
    },
    trash: async ({ who, query }) => {
      const page = await database.read(who, () => trash(who.owner, readCursor(query.after), query.limit))
      return { ...page, rows: page.rows.map(({ before, ...row }) => ({ ...row, title: titles.get(row.table)?.(before) ?? '' })) }
    },
    restore: ({ who, params }) =>
      database.inLine(who, 'Restored', 'small', async () => {
        const { change } = await restore(params.id)
        return describeChange(who.owner, change)
      }),
    erase: ({ who, params }) => database.inLine(who, 'Erased for good', 'small', () => eraseRow(params.id)),
    eraseAll: ({ who }) => database.inLine({ ...who, timeoutMs: 120_000 }, 'Erased for good', 'large', eraseAll),
  })
}

/** What leads from rows to records of other kinds. */
const linksOf = (tables: readonly NamedTable[]): Link[] =>
  tables.flatMap(({ table, one, links = {}, told = [] }) =>
    Object.values(links).flatMap(({ field, to: kind }) => {
      const to = kind !== one && tables.find((each) => each.one === kind)
      return to ? [{ table, field, to: to.table, told }] : []
    }),
  )
