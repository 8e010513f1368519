import type { Condition } from '#contract/lists.ts'
import { tagLimits } from '#contract/records.ts'
import type { NamedFile } from '#contract/route.ts'
import type { Row } from '#server/platform/database/batch.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/context.ts'
import { editRow } from '#server/platform/journal/edit.ts'
import { exportRecords } from './export.ts'
import type { RecordKind } from './kind.ts'
import { changeChosen, chosenIds, deleteRecords, editRecords, labelOf, readTags, tagRecords, type Chosen } from './bulk.ts'
import { countRows, readPage, type Page } from './page.ts'
import { insertRecord, insertUnder, readRecord, updateRecord, writing } from './rows.ts'

type ListQuery = {
  search: string
  filter: readonly Condition[]
  sort: string
  order: 'asc' | 'desc'
  after?: string | undefined
  limit: number
}
type OfExport = Chosen & { columns: readonly string[]; sort: string; order: 'asc' | 'desc' }
type OfOne = { caller: Caller; params: { id: string } }
type Kept = Row & { version: number }

/** What answers the routes that every kind of record has. */
export function recordHandlers<K extends Kept, R extends Row>(kind: RecordKind, { database, now }: Pick<AppContext, 'database' | 'now'>) {
  const chosenOf = (owner: string, chosen: Chosen): Promise<string[]> => chosenIds(kind, owner, chosen, now())
  return {
    list: ({ caller, query }: { caller: Caller; query: ListQuery }): Promise<Page<R>> =>
      database.read(caller, () => readPage<R>(kind, caller.owner, { ...query, now: now() })),
    count: ({ caller, query }: { caller: Caller; query: { search: string; filter: readonly Condition[] } }) =>
      database.read(caller, () => countRows(kind, caller.owner, { ...query, now: now() })),
    get: ({ caller, params }: OfOne): Promise<K> => database.read(caller, () => readRecord<K>(kind, caller.owner, params.id)),
    create: async ({ caller, body: { id, ...fields } }: { caller: Caller; body: { id?: string | undefined } }): Promise<K> => {
      const added = await writing(kind, () =>
        database.batch(caller, `Added ${kind.singular}`, () =>
          insertUnder(id, (own) => insertRecord<K>(kind, caller.owner, own, { ...kind.empty, ...fields })),
        ),
      )
      if (!added) throw new Error(`The ${kind.singular} was not written`)
      return added
    },
    update: ({ caller, params, body }: OfOne & { body: { version?: number | undefined } }): Promise<K> =>
      editRecord<K>(kind, database, caller, params.id, body),
    delete: ({ caller, params }: OfOne): Promise<void> =>
      database.longTransaction(caller, labelOf('Deleted', kind, 1), 'small', () => deleteRecords(kind, caller.owner, [params.id])),
    deleteMany: ({ caller, body }: { caller: Caller; body: Chosen }): Promise<void> =>
      changeChosen(database, caller, body, `Deleted ${kind.plural}`, async () =>
        deleteRecords(kind, caller.owner, await chosenOf(caller.owner, body)),
      ),
    editMany: ({
      caller,
      body: { fields, ...chosen },
    }: {
      caller: Caller
      body: Chosen & { fields: Readonly<Record<string, unknown>> }
    }): Promise<void> =>
      writing(
        kind,
        () =>
          changeChosen(database, caller, chosen, `Updated ${kind.plural}`, async () =>
            editRecords(kind, caller.owner, await chosenOf(caller.owner, chosen), fields),
          ),
        'fields.',
      ),
    export: async ({ caller, body }: { caller: Caller; body: OfExport }): Promise<NamedFile> => ({
      name: `${kind.plural}.csv`,
      chunks: exportRecords(kind, database, caller, { ...body, now: now() }),
    }),
  }
}

/** What answers the routes of records that carry tags. */
export function tagHandlers(kind: RecordKind, { database, now }: Pick<AppContext, 'database' | 'now'>) {
  return {
    tags: async ({ caller }: { caller: Caller }) => ({ tags: await database.read(caller, () => readTags(kind, caller.owner)) }),
    tagMany: ({
      caller,
      body: { add, remove, ...chosen },
    }: {
      caller: Caller
      body: Chosen & { add: string[]; remove: string[] }
    }): Promise<void> =>
      changeChosen(database, caller, chosen, `Tagged ${kind.plural}`, async () =>
        tagRecords(kind, caller.owner, await chosenIds(kind, caller.owner, chosen, now()), { add, remove, most: tagLimits.count }),
      ),
  }
}

/**
 * Changes the named fields. Fields that others changed since `version` and this edit leaves alone merge silently; the same field
 * changed on both sides throws `conflict`. `beside` is written along and is nobody's to disagree with; `label` is what the history says.
 */
export function editRecord<K extends Kept>(
  kind: RecordKind,
  database: AppContext['database'],
  caller: Caller,
  id: string,
  { version, ...fields }: { version?: number | undefined },
  { beside = {}, label = `Updated ${kind.singular}` }: { beside?: object; label?: string | undefined } = {},
): Promise<K> {
  const { owner } = caller
  const patch = { ...fields, ...beside }
  const read = (): Promise<K> => readRecord<K>(kind, owner, id)
  if (Object.keys(patch).length === 0) return database.read(caller, read)
  return editRow({
    database,
    caller,
    table: kind.table,
    id,
    version,
    fields,
    read,
    update: (base) => writing(kind, () => database.batch(caller, label, () => updateRecord<K>(kind, owner, id, patch, base))),
  })
}
