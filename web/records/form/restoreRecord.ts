import { changeRoutes } from '#contract/changes.ts'
import { callForChange, isNotFound } from '#web/lib/client.ts'
import { loadUndo, storeForUndo } from '#web/lib/undo.ts'

/**
 * Restores a deleted record, and returns the id of the change. Does nothing if it is not in the trash: it may have been restored elsewhere.
 * Throws a `ProblemError`.
 */
export async function restoreRecord(id: string): Promise<string | undefined> {
  try {
    const { response, changeId } = await callForChange(changeRoutes.restore, { params: { id } })
    storeForUndo(changeId, 'Restored')
    if (response.progress) {
      const { waitUntilFinished } = await loadUndo()
      await waitUntilFinished(response, { title: 'Restoring', unit: 'part' })
    }
    return changeId
  } catch (error) {
    if (!isNotFound(error)) throw error
    return undefined
  }
}
