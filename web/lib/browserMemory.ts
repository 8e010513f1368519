import { createMemory } from './memory.ts'

/**
 * The values that this browser stores for the user, in all tabs. They stay when all tabs are closed or the session expires; signing out
 * removes them.
 */
export const browserMemory = createMemory(() => localStorage)
