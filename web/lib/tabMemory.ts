import { createMemory } from './memory.ts'

/** The values of the user in this tab. The values stay when the page is reloaded or the session expires; signing out removes them. */
export const tabMemory = createMemory(() => sessionStorage)

export const { store: storeInTab, read: readFromTab, remove: removeFromTab } = tabMemory
