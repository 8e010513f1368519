// Handles are the browser's references to dropped files and folders. Some browsers can store them; an upload can then continue after a
// reload without choosing the files again. A drop is a group of files that were dropped or chosen together.
import { readAllValues, runTransaction } from './database.ts'
import type { AddedFiles } from './readFiles.ts'

type SavedHandles = { dropId: string; handles: FileSystemHandle[]; savedAt: number }

/** The server deletes unfinished uploads after this time. */
const maxAgeMs = 7 * 24 * 60 * 60 * 1000

export async function saveHandles(dropId: string, handles: readonly FileSystemHandle[]): Promise<void> {
  if (handles.length === 0) return
  const record = { dropId, handles: [...handles], savedAt: Date.now() }
  await runTransaction('handles', 'readwrite', (store) => store.put(record))
}

/** Returns the ids of the drops with handles, and deletes the handles of all drops that are not in `neededDrops`. */
export async function findDropsWithHandles(neededDrops: ReadonlySet<string>): Promise<Set<string>> {
  const all = await readAllValues<SavedHandles>('handles')
  const isNeeded = ({ dropId, savedAt }: SavedHandles): boolean => neededDrops.has(dropId) && savedAt > Date.now() - maxAgeMs
  const unneeded = all.filter((saved) => !isNeeded(saved))
  for (const { dropId } of unneeded) await deleteHandles(dropId)
  return new Set(all.filter(isNeeded).map(({ dropId }) => dropId))
}

export async function deleteHandles(dropId: string): Promise<void> {
  await runTransaction('handles', 'readwrite', (store) => store.delete(dropId))
}

/** Opens the dropped files again. The browser may ask for permission, so this must be called after a click. */
export async function reopenFiles(dropIds: ReadonlySet<string>): Promise<AddedFiles> {
  const added: AddedFiles = { files: [], folders: [] }
  const drops = (await readAllValues<SavedHandles>('handles')).filter(({ dropId }) => dropIds.has(dropId))
  for (const handle of drops.flatMap(({ handles }) => handles))
    if (await requestPermission(handle)) await readHandle(handle, handle.name, added)
  return added
}

/**
 * Asks for the permission to read. Browsers that can store handles have the method `requestPermission`, but the types of TypeScript do not.
 */
async function requestPermission(handle: FileSystemHandle): Promise<boolean> {
  const request: unknown = 'requestPermission' in handle ? handle.requestPermission : undefined
  return typeof request === 'function' && (await Reflect.apply(request, handle, [{ mode: 'read' }])) === 'granted'
}

async function readHandle(handle: FileSystemHandle, path: string, added: AddedFiles): Promise<void> {
  if (isFileHandle(handle)) added.files.push({ file: await handle.getFile(), path })
  if (!isFolderHandle(handle)) return
  for await (const child of handle.values()) await readHandle(child, `${path}/${child.name}`, added)
}

const isFileHandle = (handle: FileSystemHandle): handle is FileSystemFileHandle => handle.kind === 'file'
const isFolderHandle = (handle: FileSystemHandle): handle is FileSystemDirectoryHandle => handle.kind === 'directory'
