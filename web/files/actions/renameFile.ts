import { fileRoutes, type File } from '#contract/files.ts'
import { callForChange } from '#web/lib/client.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { toastChange } from '#web/lib/undo.ts'

/** Renames a file and shows a toast with Undo. Throws `ProblemError`. */
export async function renameFile({ id, version }: Pick<File, 'id' | 'version'>, name: string): Promise<void> {
  const { response, changeId } = await callForChange(fileRoutes.update, { params: { id }, body: { file_name: name, version } })
  toastChange('File renamed', changeId, response.file_name)
  await refreshTables(['files'])
}
