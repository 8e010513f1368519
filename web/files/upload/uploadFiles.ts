import { cleanFileName } from '#contract/fileNames.ts'
import { newId } from '#web/lib/ids.ts'
import type { AddedFiles } from './readFiles.ts'
import { addUploads } from './queue.ts'
import type { UploadItem, UploadPlace } from './uploadList.ts'

/** Uploads files and folders to a place. */
export async function uploadFiles(place: UploadPlace, added: AddedFiles): Promise<void> {
  const dropId = newId()
  addUploads(
    added.files.map(({ file, path }): UploadItem => {
      const name = cleanFileName(file.name)
      const { size, lastModified } = file
      return {
        id: newId(),
        dropId,
        place,
        path,
        name,
        size,
        lastModified,
        ifExists: 'keep_both',
        status: 'waiting',
        sentBytes: 0,
        file,
        hasStarted: false,
      }
    }),
  )
}
