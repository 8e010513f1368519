/**
 * The kinds of actors that may change the rows of an owner. `assistant`: the AI assistant inside Foyer. `agent`: the AI agent that
 * answers emails and WhatsApp messages.
 */
const actorKinds = ['user', 'visitor', 'api_key', 'assistant', 'import', 'sync', 'agent', 'system', 'job'] as const
export type ActorKind = (typeof actorKinds)[number]

/**
 * The rights that an identity can have. `read`: routes that only read. `write`: changes that can be undone. `leads`: only the routes of
 * leads. A session has all of them; an API key has those that the user granted.
 */
export const scopes = ['read', 'write', 'leads'] as const
export type Scope = (typeof scopes)[number]

/** Returns the actor as the journal stores it: `user:<id>`, `job:mail`. `visitor` and `system` need no id. */
export const formatActor = (kind: ActorKind, id?: string): string => (id === undefined ? kind : `${kind}:${id}`)

/** Parses an actor of the journal. `kind` is undefined for an actor of an unknown kind. */
export function parseActor(actor: string): { kind: ActorKind | undefined; id: string } {
  const [name = '', ...id] = actor.split(':')
  return { kind: actorKinds.find((kind) => kind === name), id: id.join(':') }
}
