import type { Condition } from '#contract/lists.ts'
import { tagLimits } from '#contract/records.ts'
import type { NamedFile } from '#contract/route.ts'
import type { Row } from '#server/platform/database/flight.ts'
import type { Who } from '#server/platform/database/transaction.ts'
import type { House } from '#server/platform/feature.ts'
import { editRow } from '#server/platform/journal/edit.ts'
import { exportRecords } from './export.ts'
import type { RecordKind } from './kind.ts'
import { changeChosen, chosenIds, deleteRecords, editRecords, labelOf, readTags, tagRecords, type Chosen } from './many.ts'
import { countRows, readPage, type Page } from './page.ts'
import { insertRecord, insertUnder, readRecord, updateRecord, writing } from './rows.ts'

type OfList = {
  search: string
  filter: readonly Condition[]
  sort: string
  order: 'asc' | 'desc'
  after?: string | undefined
  limit: number
}
type OfExport = Chosen & { columns: readonly string[]; sort: string; order: 'asc' | 'desc' }
type OfOne = { who: Who; params: { id: string } }
type Kept = Row & { version: number }

/** What answers the routes that every kind of record has. */
export function recordHandlers<K extends Kept, R extends Row>(kind: RecordKind, { database, now }: Pick<House, 'database' | 'now'>) {
  const chosenOf = (owner: string, chosen: Chosen): Promise<string[]> => chosenIds(kind, owner, chosen, now())
  return {
    list: ({ who, query }: { who: Who; query: OfList }): Promise<Page<R>> =>
      database.read(who, () => readPage<R>(kind, who.owner, { ...query, now: now() })),
    count: ({ who, query }: { who: Who; query: { search: string; filter: readonly Condition[] } }) =>
      database.read(who, () => countRows(kind, who.owner, { ...query, now: now() })),
    get: ({ who, params }: OfOne): Promise<K> => database.read(who, () => readRecord<K>(kind, who.owner, params.id)),
    create: async ({ who, body: { id, ...fields } }: { who: Who; body: { id?: string | undefined } }): Promise<K> => {
      const added = await writing(kind, () =>
        database.atOnce(who, `Added ${kind.one}`, () =>
          insertUnder(id, (own) => insertRecord<K>(kind, who.owner, own, { ...kind.empty, ...fields })),
        ),
      )
      if (!added) throw new Error(`The ${kind.one} was not written`)
      return added
    },
    update: ({ who, params, body }: OfOne & { body: { version?: number | undefined } }): Promise<K> =>
      editRecord<K>(kind, database, who, params.id, body),
    delete: ({ who, params }: OfOne): Promise<void> =>
      database.inLine(who, labelOf('Deleted', kind, 1), 'small', () => deleteRecords(kind, who.owner, [params.id])),
    deleteMany: ({ who, body }: { who: Who; body: Chosen }): Promise<void> =>
      changeChosen(database, who, body, `Deleted ${kind.many}`, async () =>
        deleteRecords(kind, who.owner, await chosenOf(who.owner, body)),
      ),
    editMany: ({
      who,
      body: { fields, ...chosen },
    }: {
      who: Who
      body: Chosen & { fields: Readonly<Record<string, unknown>> }
    }): Promise<void> =>
      writing(
        kind,
        () =>
          changeChosen(database, who, chosen, `Updated ${kind.many}`, async () =>
            editRecords(kind, who.owner, await chosenOf(who.owner, chosen), fields),
          ),
        'fields.',
      ),
    export: async ({ who, body }: { who: Who; body: OfExport }): Promise<NamedFile> => ({
      name: `${kind.many}.csv`,
      parts: exportRecords(kind, database, who, { ...body, now: now() }),
    }),
  }
}

/** What answers the routes of records that carry tags. */
export function tagHandlers(kind: RecordKind, { database, now }: Pick<House, 'database' | 'now'>) {
  return {
    tags: async ({ who }: { who: Who }) => ({ tags: await database.read(who, () => readTags(kind, who.owner)) }),
    tagMany: ({ who, body: { add, remove, ...chosen } }: { who: Who; body: Chosen & { add: string[]; remove: string[] } }): Promise<void> =>
      changeChosen(database, who, chosen, `Tagged ${kind.many}`, async () =>
        tagRecords(kind, who.owner, await chosenIds(kind, who.owner, chosen, now()), { add, remove, most: tagLimits.count }),
      ),
  }
}

/**
 * Changes the named fields. Fields that others changed since `version` and this edit leaves alone merge silently; the same field
 * changed on both sides throws `conflict`. `beside` is written along and is nobody's to disagree with; `label` is what the history says.
 */
export function editRecord<K extends Kept>(
  kind: RecordKind,
  database: House['database'],
  who: Who,
  id: string,
  { version, ...fields }: { version?: number | undefined },
  { beside = {}, label = `Updated ${kind.one}` }: { beside?: object; label?: string | undefined } = {},
): Promise<K> {
  const { owner } = who
  const patch = { ...fields, ...beside }
  const read = (): Promise<K> => readRecord<K>(kind, owner, id)
  if (Object.keys(patch).length === 0) return database.read(who, read)
  return editRow({
    database,
    who,
    table: kind.table,
    id,
    version,
    fields,
    read,
    update: (base) => writing(kind, () => database.atOnce(who, label, () => updateRecord<K>(kind, owner, id, patch, base))),
  })
}
