import { parseActor, type ActorKind } from '#contract/actors.ts'

const words: Record<Exclude<ActorKind, 'user'>, string> = {
  visitor: 'a visitor',
  api_key: 'an API key',
  assistant: 'the assistant',
  import: 'an import',
  sync: 'a sync',
  agent: 'the agent',
  system: 'Foyer',
  job: 'Foyer',
}

/** Who did something, inside a sentence: "you", "an import". */
export function actorInWords(actor: string, userId: string): string {
  const { kind, id } = parseActor(actor)
  if (kind === undefined || kind === 'user') return id === userId ? 'you' : 'someone else'
  return words[kind]
}
