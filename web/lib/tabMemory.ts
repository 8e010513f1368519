import { createMemory } from './memory.ts'

/** The values that this tab stores for the user. They stay when the page is reloaded or the session expires; signing out removes them. */
export const tabMemory = createMemory(() => sessionStorage)

export const { store: storeInTab, read: readFromTab, remove: removeFromTab } = tabMemory
