import { parseActor, type ActorKind } from '#contract/actors.ts'
import type { Change } from '#contract/changes.ts'

const actorLabels: Record<Exclude<ActorKind, 'user' | 'api_key'>, string> = {
  visitor: 'a visitor',
  assistant: 'the assistant',
  import: 'an import',
  sync: 'a sync',
  agent: 'the agent',
  system: 'Foyer',
  job: 'Foyer',
}

/** Formats an actor for use inside a sentence: "you", "an import", "API key Website". `userId` is the signed-in user. */
export function formatActor({ actor, actor_name: name }: Pick<Change, 'actor' | 'actor_name'>, userId: string): string {
  const { kind, id } = parseActor(actor)
  // an unknown kind has no id of a user, so it is formatted as somebody else
  if (kind === undefined || kind === 'user') return id === userId ? 'you' : 'someone else'
  if (kind === 'api_key') return name === null ? 'a deleted API key' : `API key ${name}`
  return actorLabels[kind]
}
