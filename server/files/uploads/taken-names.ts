import type { TakenName } from '#contract/files.ts'
import { findByNames, findFreeNames, requirePlace, type Place } from '../files.store.ts'

/** Returns the names that files in a place already have, in the order of `names`. Throws `not_found` if the place does not exist. */
export async function findTakenNames(owner: string, { names, ...place }: Place & { names: readonly string[] }): Promise<TakenName[]> {
  const [, existing] = await Promise.all([requirePlace(owner, place), findByNames(owner, place, names)])
  const free = await findFreeNames(owner, place, [...existing.keys()])
  return [...new Set(names)].flatMap((name) => {
    const file = existing.get(name)
    return file ? [{ file_name: name, file, free_name: free.get(name) ?? name }] : []
  })
}
