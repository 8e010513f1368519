/** The kinds of actors that may change a workspace. */
const actorKinds = ['user', 'visitor', 'api_key', 'assistant', 'import', 'sync', 'agent', 'system', 'job'] as const
export type ActorKind = (typeof actorKinds)[number]

/** The rights that an identity can have. A session has all of them, an API key and the assistant those that the user gave. */
export const scopes = ['crm:read', 'crm:write'] as const
export type Scope = (typeof scopes)[number]

/** The actor as the journal stores it: `user:<id>`, `job:mail`; `visitor` and `system` need no id. */
export const actorOf = (kind: ActorKind, id?: string): string => (id === undefined ? kind : `${kind}:${id}`)

/** The kind and the id of an actor; an unknown kind is undefined. */
export function readActor(actor: string): { kind: ActorKind | undefined; id: string } {
  const [name = '', ...id] = actor.split(':')
  return { kind: actorKinds.find((kind) => kind === name), id: id.join(':') }
}
