import { createStore } from '#web/lib/store.ts'

/** Whether the list of keyboard shortcuts is open. */
export const keyboardHelp = createStore(false)
