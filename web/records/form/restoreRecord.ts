import { changeRoutes } from '#contract/changes.ts'
import { callForChange, ProblemError } from '#web/lib/client.ts'
import { loadUndo, storeForUndo } from '#web/lib/undo.ts'

/** Returns true if the error says that the server found no record with the id of the request. */
export const isMissing = (error: unknown): boolean => error instanceof ProblemError && error.problem.code === 'not_found'

/** Restores a deleted record. Does nothing if it is not in the trash: it may have been restored elsewhere. Throws a `ProblemError`. */
export async function restoreRecord(id: string): Promise<void> {
  try {
    const { response, changeId } = await callForChange(changeRoutes.restore, { params: { id } })
    storeForUndo(changeId, 'Restored')
    if (!response.progress) return
    const { waitUntilFinished } = await loadUndo()
    await waitUntilFinished(response, { title: 'Restoring', unit: 'part' })
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}
