import { createStore } from '#web/lib/store.ts'

/** Whether the dialog that makes a picture is open. */
export const isImageDialogOpen = createStore(false)

export const openImageDialog = (): void => isImageDialogOpen.set(true)
export const closeImageDialog = (): void => isImageDialogOpen.set(false)
