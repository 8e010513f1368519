import { scopes, type Scope } from '#contract/actors.ts'

/** The owner of a workspace, the actor who works in it (formatted by `formatActor`) and the rights of the actor. */
export type Identity = { owner: string; actor: string; scopes: readonly Scope[] }

/** Returns the identity of an actor with all rights in the owner's workspace, such as a session, a job or an import. */
export const createIdentity = (owner: string, actor: string): Identity => ({ owner, actor, scopes })
