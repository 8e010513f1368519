import { useMutation } from '@tanstack/react-query'
import type { MessageFile } from '#contract/assistant.ts'
import { recordKinds } from '#contract/kinds.ts'
import { messageFileRoutes } from '#contract/messageFiles.ts'
import { FolderDialog } from '#web/files/move/FolderDialog.tsx'
import { callForChange } from '#web/lib/client.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { toastChange } from '#web/lib/undo.ts'
import { useToastAfterClose } from '#web/records/form/useToastAfterClose.ts'

/** Asks for a folder of Files and saves a file of an answer in it. */
export function SaveFileDialog({ file, onClose }: { file: MessageFile; onClose: () => void }) {
  const toastAfterClose = useToastAfterClose('Error saving file')
  const save = useMutation({
    mutationFn: (folder: { id: string | null; name: string }) =>
      callForChange(messageFileRoutes.save, { params: { id: file.id }, body: { folder_id: folder.id } }),
    onError: toastAfterClose,
    onSuccess: ({ response, changeId }, folder) => {
      toastChange(`Saved to ${folder.name}`, changeId, response.file_name)
      void refreshTables([recordKinds.file.table])
    },
  })
  return (
    <FolderDialog
      title={`Save ${file.file_name}`}
      verb="Save"
      startsAtRoot
      openIds={[]}
      isPending={save.isPending}
      error={save.error}
      onSubmit={(folder) => save.mutate(folder, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
