import { createStore } from '#web/lib/store.ts'

/**
 * True when the upload layer, which is the panel and the dialogs of uploads above every page, may have something to show: uploads,
 * unfinished uploads of an earlier visit, or a drag of files.
 */
export const isUploadLayerNeeded = createStore(false)

const flagKey = 'foyer-has-uploads'

/**
 * Returns true when this browser has saved uploads. Reads a flag, so that neither the code of uploads nor the database is loaded for it.
 */
export const hasSavedUploads = (): boolean => localStorage.getItem(flagKey) !== null

export function setHasSavedUploads(hasUploads: boolean): void {
  if (!hasUploads) return localStorage.removeItem(flagKey)
  try {
    localStorage.setItem(flagKey, '1')
  } catch (error) {
    console.warn('The storage of this browser is full, so uploads cannot be continued after a reload', error)
  }
}
