import { fileRoutes, type File } from '#contract/files.ts'
import { folderRoutes, type Folder } from '#contract/folders.ts'
import { callForChange } from '#web/lib/client.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { toastChange } from '#web/lib/undo.ts'

/** Renames a file and shows a toast with Undo. `version` is the one that the user saw last. Throws `ProblemError`. */
export async function renameFile(file: Pick<File, 'id' | 'version'>, name: string, version = file.version): Promise<void> {
  const { id } = file
  const { response, changeId } = await callForChange(fileRoutes.update, { params: { id }, body: { file_name: name, version } })
  toastChange('File renamed', changeId, response.file_name)
  await refreshTables(['files'])
}

/** Renames a folder and shows a toast with Undo. `version` is the one that the user saw last. Throws `ProblemError`. */
export async function renameFolder(folder: Pick<Folder, 'id' | 'version'>, name: string, version = folder.version): Promise<void> {
  const { id } = folder
  const { response, changeId } = await callForChange(folderRoutes.update, { params: { id }, body: { name, version } })
  toastChange('Folder renamed', changeId, response.name)
  await refreshTables(['folders'])
}
