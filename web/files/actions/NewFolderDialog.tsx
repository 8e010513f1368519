import type { RefObject } from 'react'
import { folderRoutes } from '#contract/folders.ts'
import { recordKinds } from '#contract/kinds.ts'
import { callForChange } from '#web/lib/client.ts'
import { newId } from '#web/lib/ids.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { toastChange } from '#web/lib/undo.ts'
import { NameDialog } from '#web/records/form/NameDialog.tsx'

type NewFolderDialogProps = {
  /** The folder in which the new folder is created; null for the root folder. */
  parentId: string | null
  onCreated?: (folder: { id: string; name: string }) => void
  onClose: () => void
  opener?: RefObject<HTMLElement | null>
}

/** Asks for the name of a new folder and creates it. */
export function NewFolderDialog({ parentId, onCreated, onClose, opener }: NewFolderDialogProps) {
  const create = async (name: string): Promise<void> => {
    const { response, changeId } = await callForChange(folderRoutes.create, { body: { id: newId(), name, parent_folder_id: parentId } })
    toastChange('Folder created', changeId)
    await refreshTables([recordKinds.folder.table])
    onCreated?.(response)
  }
  return (
    <NameDialog
      title="New folder"
      submitLabel="Create"
      maxLength={200}
      requiresName
      errorTitle="Error creating folder"
      onSubmit={create}
      onClose={onClose}
      {...(opener && { opener })}
    />
  )
}
