import { submissionRoutes } from '#contract/submissions.ts'
import { callForFile } from '#web/lib/client.ts'
import { startDownload } from '#web/lib/startDownload.ts'
import { toast, toastError } from '#web/lib/toasts.ts'

/** How long the address of the file works. Some browsers read the file only after the user has selected a folder. */
const addressLifetimeMs = 60_000

/** Downloads the submissions of a form, or its spam, as CSV. */
export async function downloadCsv(formId: string, isSpam: boolean): Promise<void> {
  try {
    const { name, content } = await callForFile(submissionRoutes.export, { params: { id: formId }, body: { spam: isSpam } })
    const address = URL.createObjectURL(content)
    startDownload(address, name)
    setTimeout(() => URL.revokeObjectURL(address), addressLifetimeMs)
    toast({ kind: 'success', title: 'Submissions exported', message: name })
  } catch (error) {
    toastError(error)
  }
}
