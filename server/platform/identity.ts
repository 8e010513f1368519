import { scopes, type Scope } from '#contract/actors.ts'

/** Whose workspace it is, who acts in it (as `formatActor` returns it) and with which rights. */
export type Identity = { owner: string; actor: string; scopes: readonly Scope[] }

/** An actor with all rights in the owner's workspace: a session, a job, an import. */
export const identityOf = (owner: string, actor: string): Identity => ({ owner, actor, scopes })
