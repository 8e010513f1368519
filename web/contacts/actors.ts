const kinds: Record<string, string> = {
  visitor: 'a visitor',
  'api-key': 'an API key',
  api_key: 'an API key',
  import: 'an import',
  sync: 'a sync',
  assistant: 'the assistant',
  agent: 'the agent',
  automation: 'an automation',
  system: 'Foyer',
}

/** Who did something, inside a sentence: "you", "an import". `actor` is such as `user:<id>`. */
export function actorInWords(actor: string, userId: string): string {
  const [kind = '', id] = actor.split(':')
  if (kind === 'user') return id === userId ? 'you' : 'someone else'
  return kinds[kind] ?? kind
}
