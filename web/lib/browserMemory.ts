import { createMemory } from './memory.ts'

/** The values of the user in this browser. They survive that all tabs are closed, and the end of the session. */
export const browserMemory = createMemory(() => localStorage)
