import { call } from '#web/lib/client.ts'
import type { LinkChoice, LinkSource } from '#web/lib/features.ts'
import type { EditableKind, RecordKind } from '#web/records/kind/kind.ts'

const maxChoices = 20

type SavedRecord = { id: string; version: number }
type LinkableKind<Row extends { id: string }, Full extends SavedRecord> = Pick<RecordKind<Row>, 'titleColumn'> & {
  routes: { list: RecordKind<Row>['routes']['list']; get: EditableKind<Full>['routes']['get'] }
  titleOf: (record: Row | Full) => string
  detailOf: (record: Row | Full) => string
}

/** Creates the functions that find the records of a kind for the link fields of other kinds. */
export function createLinkSource<Row extends { id: string }, Full extends SavedRecord>(kind: LinkableKind<Row, Full>): LinkSource {
  const { routes, titleColumn, titleOf, detailOf } = kind
  const choiceOf = (record: Row | Full): LinkChoice => ({ id: record.id, title: titleOf(record), detail: detailOf(record) })
  return {
    search: async (search, signal) => {
      const { rows } = await call(routes.list, { query: { search, sort: titleColumn, limit: maxChoices } }, { signal })
      return rows.map(choiceOf)
    },
    get: async (id, signal) => choiceOf(await call(routes.get, { params: { id } }, { signal })),
  }
}
