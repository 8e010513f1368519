import { createStore } from '#web/lib/store.ts'

/** True when there may be something to show above the pages: uploads, unfinished uploads of an earlier visit, or a drag with files. */
export const isUploadLayerNeeded = createStore(false)
