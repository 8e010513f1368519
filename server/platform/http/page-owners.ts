import * as z from 'zod/mini'
import { sql, type Database } from '#server/platform/database/database.ts'
import type { FindIdentity } from './identity.ts'
import { visitorOf, visitorOfOwner } from './visitor.ts'

/** The maximum number of owners in memory, about 2 MB. When it is reached, all are removed. */
const maxOwners = 10_000

const Id = z.object({ id: z.uuid() })

/**
 * Creates the function that finds the identity of the visitors of one type of page: they act in the workspace of the owner of the record
 * whose id is in the path. `pathStart` is the beginning of the paths of its routes, and `ownerFunction` the SQL function that returns the
 * owner of a record. The owners stay in memory, because a record never gets another owner; if it was deleted, the handler does not find it.
 */
export function createPageVisitorFinder(database: Database, pathStart: string, ownerFunction: string): FindIdentity {
  const owners = new Map<string, string>()
  return async (request) => {
    if (!request.routeOptions.url?.startsWith(pathStart)) return undefined
    const { success, data } = z.safeParse(Id, request.params)
    if (!success) return undefined
    const id = data.id.toLowerCase()
    const known = owners.get(id)
    if (known !== undefined) return visitorOfOwner(known)
    const [row] = await database.read(visitorOf(request), () => sql<{ owner: string | null }>(`select ${ownerFunction}($1) as owner`, [id]))
    if (!row?.owner) return undefined
    if (owners.size >= maxOwners) owners.clear()
    owners.set(id, row.owner)
    return visitorOfOwner(row.owner)
  }
}
