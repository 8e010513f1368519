import { createStore } from '#web/lib/store.ts'

/** True when there may be something to show above the pages: uploads, unfinished uploads of an earlier visit, or a drag with files. */
export const isUploadLayerNeeded = createStore(false)

const flagKey = 'foyer-has-uploads'

/** Whether this browser has saved uploads. Is known without the code of uploads and without opening the database. */
export const hasSavedUploads = (): boolean => localStorage.getItem(flagKey) !== null

export function setHasSavedUploads(hasUploads: boolean): void {
  if (!hasUploads) return localStorage.removeItem(flagKey)
  try {
    localStorage.setItem(flagKey, '1')
  } catch (error) {
    console.warn('The storage of this browser is full, so uploads cannot be continued after a reload', error)
  }
}
