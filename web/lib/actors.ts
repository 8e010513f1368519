import { parseActor, type ActorKind } from '#contract/actors.ts'

const actorLabels: Record<Exclude<ActorKind, 'user'>, string> = {
  visitor: 'a visitor',
  api_key: 'an API key',
  assistant: 'the assistant',
  import: 'an import',
  sync: 'a sync',
  agent: 'the agent',
  system: 'Foyer',
  job: 'Foyer',
}

/** Formats an actor for use inside a sentence: "you", "an import". `userId` is the signed-in user. */
export function formatActor(actor: string, userId: string): string {
  const { kind, id } = parseActor(actor)
  // an unknown kind has no id of a user, so it is formatted as somebody else
  if (kind === undefined || kind === 'user') return id === userId ? 'you' : 'someone else'
  return actorLabels[kind]
}
