import { useQuery } from '@tanstack/react-query'
import { call } from '#web/lib/client.ts'
import { formatCappedCount } from '#web/lib/format.ts'
import { recordKeys } from '#web/records/kind/queries.ts'
import type { ListRoutes } from '#web/records/kind/kind.ts'

type LinkedCountProps = {
  /** The table of the counted records. */
  table: string
  route: ListRoutes<unknown>['count']
  /** The link field of the counted records: "contact_id". */
  field: string
  /** The id of the record that the counted records are linked to. */
  id: string
}

/** Shows the number of records that are linked to a record. */
export function LinkedCount({ table, route, field, id }: LinkedCountProps) {
  const { data: result } = useQuery({
    queryKey: recordKeys(table).linkedCount(field, id),
    meta: { tables: [table] }, // a change in this table refetches the count
    queryFn: ({ signal }) => call(route, { query: { filter: JSON.stringify([{ field, is: [id] }]) } }, { signal }),
  })
  return result && formatCappedCount(result)
}
