import { scopes, type Scope } from '#contract/actors.ts'

/**
 * The owner of a workspace, the actor who works in it (formatted by `formatActor`) and the rights of the actor. `hasAllRights`: the actor
 * may do everything that the owner may. An API key may not, even if it has all scopes.
 */
export type Identity = { owner: string; actor: string; scopes: readonly Scope[]; hasAllRights: boolean }

/** Returns the identity of an actor with all rights in the owner's workspace, such as a session, a job or an import. */
export const createIdentity = (owner: string, actor: string): Identity => ({ owner, actor, scopes, hasAllRights: true })
