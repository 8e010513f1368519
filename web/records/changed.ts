import { changeRoutes } from '#contract/changes.ts'
import { call } from '#web/lib/client.ts'
import type { Chosen } from './chosen.ts'

/** How many records a call changed: those that were named, or what the server says of all that matched. */
export async function numberChanged({ ids }: Chosen, change: string | undefined): Promise<number> {
  if (ids) return ids.length
  if (change === undefined) return 0
  const { count } = await call(changeRoutes.get, { params: { id: change } })
  return count
}
