import type { Condition } from '#contract/lists.ts'
import type { NamedFile } from '#contract/route.ts'
import type { Row } from '#server/platform/database/batch.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { readTags, type Selection } from './bulk.ts'
import { exportRecords } from './export.ts'
import type { Fields, RecordKind } from './kind.ts'
import { countRows, readPage, type Page } from './page.ts'
import { readRecord } from './rows.ts'
import { sumRows } from './sum.ts'
import * as verbs from './verbs.ts'
import type { Services } from './verbs.ts'

type Call<Body> = { caller: Caller; body: Body }
type RecordCall = { caller: Caller; params: { id: string } }
type CountQuery = { search: string; filter: readonly Condition[] }
type ListQuery = CountQuery & { sort: string; order: 'asc' | 'desc'; after?: string | undefined; limit: number }
type ExportBody = Selection & { columns: readonly string[]; sort: string; order: 'asc' | 'desc' }

/** Returns the handlers of the routes that every record kind has. */
export function createRecordHandlers<FullRecord extends Row & { version: number }, R extends Row & { id: string }>(
  kind: RecordKind,
  services: Services,
) {
  const { database, now } = services
  return {
    list: ({ caller, query }: { caller: Caller; query: ListQuery }): Promise<Page<R>> =>
      database.read(caller, async () =>
        addPassages(kind, caller.owner, query.search, await readPage<R>(kind, caller.owner, { ...query, now: now() })),
      ),
    count: ({ caller, query }: { caller: Caller; query: CountQuery }) =>
      database.read(caller, () => countRows(kind, caller.owner, { ...query, now: now() })),
    get: ({ caller, params }: RecordCall) => database.read(caller, () => readRecord<FullRecord>(kind, caller.owner, params.id)),
    create: ({ caller, body }: Call<verbs.NewRecord>) => verbs.createRecord<FullRecord>(services, caller, kind, body),
    update: ({ caller, params, body }: RecordCall & Call<verbs.RecordPatch>) =>
      verbs.updateRecord<FullRecord>(services, caller, kind, params.id, body),
    delete: ({ caller, params }: RecordCall) => verbs.deleteRecord(services, caller, kind, params.id),
    deleteMany: ({ caller, body }: Call<Selection>) => verbs.deleteRecords(services, caller, kind, body),
    editMany: ({ caller, body: { fields, ...selection } }: Call<Selection & { fields: Fields }>) =>
      verbs.updateRecords(services, caller, kind, selection, fields),
    export: async ({ caller, body }: Call<ExportBody>): Promise<NamedFile> => ({
      name: `${kind.plural}.csv`,
      chunks: exportRecords(kind, database, caller, { ...body, now: now() }),
    }),
  }
}

/** Returns the handlers of the routes of record kinds with tags. */
export function createTagHandlers(kind: RecordKind, services: Services) {
  return {
    tags: async ({ caller }: { caller: Caller }) => ({ tags: await services.database.read(caller, () => readTags(kind, caller.owner)) }),
    tagMany: ({ caller, body: { add, remove, ...selection } }: Call<Selection & { add: string[]; remove: string[] }>) =>
      verbs.tagRecords(services, caller, kind, selection, { add, remove }),
  }
}

/** Returns the handler of the route of record kinds with number fields. */
export const createSumHandlers = (kind: RecordKind, { database, now }: Services) => ({
  sum: async ({ caller, query }: { caller: Caller; query: CountQuery & { field: string; group_by?: string | undefined } }) => ({
    rows: await database.read(caller, () => sumRows(kind, caller.owner, { ...query, now: now() })),
  }),
})

/** Adds to each row of a page the passage of its full text that has the searched words, if there is one. */
async function addPassages<R extends Row & { id: string }>(
  { fullText }: RecordKind,
  owner: string,
  search: string,
  page: Page<R>,
): Promise<Page<R>> {
  if (!fullText || search === '' || page.rows.length === 0) return page
  const passages = await fullText.readPassages(
    owner,
    page.rows.map(({ id }) => id),
    search,
  )
  return { ...page, rows: page.rows.map((row) => ({ ...row, passage: passages.get(row.id) })) }
}
