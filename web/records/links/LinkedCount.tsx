import { useQuery } from '@tanstack/react-query'
import { call } from '#web/lib/client.ts'
import { cappedCount } from '#web/lib/format.ts'
import { recordKeys } from '#web/records/kind/queries.ts'
import type { ListRoutes } from '#web/records/kind/kind.ts'

type LinkedCountProps = {
  /** The table of the counted records. */
  table: string
  route: ListRoutes<unknown>['count']
  /** The field of the counted records that holds the link: "contact_id". */
  field: string
  /** The record that they are linked to. */
  id: string
}

/** Shows how many records of a kind are linked to a record. */
export function LinkedCount({ table, route, field, id }: LinkedCountProps) {
  const { data: counted } = useQuery({
    queryKey: recordKeys(table).numberLinkedTo(field, id),
    meta: { tables: [table] },
    queryFn: ({ signal }) => call(route, { query: { filter: JSON.stringify([{ field, is: [id] }]) } }, { signal }),
  })
  return counted && cappedCount(counted)
}
