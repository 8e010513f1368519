import { splitFolderPath } from '#contract/folders.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { relabel } from '#server/platform/journal/label.ts'
import { formatCountLabel } from '#server/platform/records/bulk.ts'
import { withFieldErrors } from '#server/platform/records/rows.ts'
import type { Services } from '#server/platform/records/verbs.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { findChildren, insertFolders, lockFolders } from './folders.store.ts'
import { folders } from '../kind.ts'

/** A folder in the tree of the requested paths. `id` is null until the folder is found or created. `children` are by name in lower case. */
type TreeFolder = { name: string; id: string | null; children: Map<string, TreeFolder> }

type PathsRequest = { parent_folder_id: string | null; paths: readonly string[] }

/** The maximum number of folders that one request creates. */
const maxNewFolders = 10_000
/** The maximum number of paths of a small transaction. A request with more paths uses the queue of large transactions. */
const maxSmallPaths = 50

/**
 * Finds or creates the folders of the paths as one change, and returns the last folder of each path. Names are compared without regard to
 * case. A request that repeats an Idempotency-Key only finds folders. Throws `not_found` for the parent, `too_many`, `invalid` for names
 * that are too long.
 */
export async function createFolderPaths(
  { database }: Services,
  caller: Caller,
  { parent_folder_id: parent, paths }: PathsRequest,
): Promise<{ path: string; id: string }[]> {
  const isRepeated = caller.request?.changeId !== undefined
  const findOrCreatePaths = async (): Promise<{ path: string; id: string }[]> => {
    const root: TreeFolder = { name: '', id: parent, children: new Map() }
    const nodes = paths.map((path) => addPath(root, splitFolderPath(path)))
    const createdCount = await findOrCreate(caller.owner, root, { canCreate: !isRepeated })
    if (createdCount > 0) await relabel(formatCountLabel('Added', folders, createdCount))
    return nodes.map(({ id }, index) => {
      if (id === null) throw new Refusal('not_found')
      return { path: paths[index] ?? '', id }
    })
  }
  if (isRepeated) return database.read(caller, findOrCreatePaths)
  const work = async (): Promise<{ path: string; id: string }[]> => {
    await lockFolders(caller.owner)
    return findOrCreatePaths()
  }
  const label = 'Added folders'
  return withFieldErrors(folders, () =>
    paths.length <= maxSmallPaths ? database.transaction(caller, label, work) : database.longTransaction(caller, label, 'large', work),
  )
}

/** Adds the folders of a path to the tree. Returns the last one. */
function addPath(root: TreeFolder, names: readonly string[]): TreeFolder {
  let node = root
  for (const name of names) {
    const key = name.toLowerCase()
    const child = node.children.get(key) ?? { name, id: null, children: new Map() }
    node.children.set(key, child)
    node = child
  }
  return node
}

/** Sets the ids of all folders below the root, level by level. Returns the number of folders that were created. */
async function findOrCreate(owner: string, root: TreeFolder, { canCreate }: { canCreate: boolean }): Promise<number> {
  let createdCount = 0
  let level = listChildren([root])
  while (level.length > 0) {
    const found = await findChildren(owner, level)
    const created = new Map<string, { id: string; name: string; parent: string | null }>()
    for (const [index, { child, parent, name }] of level.entries()) {
      const { id, key } = found[index] ?? { id: null, key: name }
      child.id = id
      if (id !== null || !canCreate) continue
      // names that PostgreSQL lowercases to the same key become one folder, although toLowerCase() has kept them apart
      const folder = created.get(`${parent} ${key}`) ?? { id: newId(), name, parent }
      created.set(`${parent} ${key}`, folder)
      child.id = folder.id
    }
    createdCount += created.size
    if (createdCount > maxNewFolders) throw new Refusal('too_many', { fields: { paths: 'At most 10,000 new folders at once' } })
    if (created.size > 0) await insertFolders(owner, [...created.values()])
    if (!canCreate && level.some(({ child }) => child.id === null)) throw new Refusal('not_found')
    level = listChildren(level.map(({ child }) => child))
  }
  return createdCount
}

const listChildren = (parents: readonly TreeFolder[]) =>
  parents.flatMap((parent) => [...parent.children.values()].map((child) => ({ child, parent: parent.id, name: child.name })))
