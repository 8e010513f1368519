/** A file with its path in the dropped folder: "Photos/wall.jpg". The path of a single file is its name. */
export type AddedFile = { file: File; path: string }

/**
 * Files that the user dropped, chose or pasted, and the paths of all folders among them. Empty folders are included only if the user
 * dropped them. Some browsers give handles for dropped files and folders, with which they can be read again after a reload.
 */
export type AddedFiles = { files: AddedFile[]; folders: string[]; handles?: FileSystemHandle[] }

/** Files that operating systems add to folders. */
const systemFiles = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini'])

/** Reads dropped files and folders. Must be called in the handler of the drop event, because browsers give no access to them afterwards. */
export async function readDrop(transfer: DataTransfer): Promise<AddedFiles> {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file')
  const openingHandles = Promise.allSettled(items.map(getHandle))
  const dropped = items.map((item) => item.webkitGetAsEntry() ?? item.getAsFile())
  const added: AddedFiles = { files: [], folders: [] }
  for (const each of dropped) {
    if (each instanceof File) added.files.push({ file: each, path: each.name })
    else if (each) await readEntry(each, added)
  }
  const handles = (await openingHandles).flatMap((result) => (result.status === 'fulfilled' && result.value ? [result.value] : []))
  return { ...added, handles }
}

/** Returns the handle of a dropped item; undefined in browsers without handles and on plain http. */
async function getHandle(item: DataTransferItem): Promise<FileSystemHandle | undefined> {
  const get: unknown = 'getAsFileSystemHandle' in item ? item.getAsFileSystemHandle : undefined
  const handle: unknown = typeof get === 'function' ? await Reflect.apply(get, item, []) : undefined
  return typeof FileSystemHandle !== 'undefined' && handle instanceof FileSystemHandle ? handle : undefined
}

/** Reads the files of an input element. An input for folders gives each file a path. */
export function readInput(inputFiles: Iterable<File>): AddedFiles {
  const files = [...inputFiles]
    .map((file) => ({ file, path: file.webkitRelativePath || file.name }))
    .filter(({ path }) => !isSystemFile(path))
  const folders = new Set(files.flatMap(({ path }) => listFolders(path)))
  return { files, folders: [...folders] }
}

/** Returns the folders of a path, the outer ones first: "a/b/c.txt" is in "a" and in "a/b". */
export function listFolders(path: string): string[] {
  const names = path.split('/').slice(0, -1)
  return names.map((_name, index) => names.slice(0, index + 1).join('/'))
}

const isSystemFile = (path: string): boolean => path.includes('/') && systemFiles.has(path.slice(path.lastIndexOf('/') + 1))

async function readEntry(entry: FileSystemEntry, added: AddedFiles): Promise<void> {
  const path = entry.fullPath.slice(1) // without the slash at the beginning
  if (isFileEntry(entry)) {
    if (!isSystemFile(path)) added.files.push({ file: await readFileEntry(entry), path })
    return
  }
  if (!isFolderEntry(entry)) return
  added.folders.push(path)
  for (const child of await readFolderEntry(entry)) await readEntry(child, added)
}

const isFileEntry = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolderEntry = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

const readFileEntry = (entry: FileSystemFileEntry): Promise<File> => new Promise((resolve, reject) => entry.file(resolve, reject))

/** Reads all entries of a folder. A browser may return only some of them at once; an empty batch is the end. */
async function readFolderEntry(entry: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = entry.createReader()
  const readBatch = (): Promise<FileSystemEntry[]> => new Promise((resolve, reject) => reader.readEntries(resolve, reject))
  const all: FileSystemEntry[] = []
  for (let batch = await readBatch(); batch.length > 0; batch = await readBatch()) all.push(...batch)
  return all
}
