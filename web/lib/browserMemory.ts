import { createMemory } from './memory.ts'

/** The values of the user in this browser. The values stay when all tabs are closed or the session expires; signing out removes them. */
export const browserMemory = createMemory(() => localStorage)
