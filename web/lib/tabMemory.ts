import { createMemory } from './memory.ts'

/** The values of the user in this tab. They survive a reload and the end of the session. */
export const tabMemory = createMemory(() => sessionStorage)

export const { store: storeInTab, read: readFromTab, remove: removeFromTab } = tabMemory
