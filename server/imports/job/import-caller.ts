import { formatActor } from '#contract/actors.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { createIdentity } from '#server/platform/identity.ts'

/** Returns the caller that writes the records of an import. The history shows it as the actor. */
export const importCaller = (owner: string, id: string): Caller => createIdentity(owner, formatActor('import', id))
