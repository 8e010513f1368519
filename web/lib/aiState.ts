import { queryOptions, useQuery } from '@tanstack/react-query'
import { aiRoutes, type AiConnection, type Capabilities } from '#contract/ai.ts'
import { call } from './client.ts'

/** The query of the AI connection of the account, without its key. */
export const aiQuery = queryOptions({
  queryKey: ['ai_connections'],
  meta: { tables: ['ai_connections'] },
  queryFn: ({ signal }) => call(aiRoutes.get, {}, { signal }),
})

/** Something that not every model can do. */
export type AiAbility = keyof Capabilities

export type AiState = {
  /** Undefined while the state is loading, and when it could not be loaded. */
  connection: AiConnection | undefined
  /**
   * Returns the sentence for `AiOffNotice` if the AI cannot be used: there is none, its key must be entered again, or its model is known to
   * lack one of these abilities. Returns undefined if it can be used, and as long as the state is unknown; the server then says what is
   * wrong.
   */
  findProblem: (...abilities: AiAbility[]) => string | undefined
}

/** Returns the AI connection of the account, and a function that says why the AI cannot be used. */
export function useAi(): AiState {
  const { data: connection } = useQuery(aiQuery)
  return { connection, findProblem: (...abilities) => connection && findAiProblem(connection, abilities) }
}

const missingAbilityTexts: Record<AiAbility, (model: string) => string> = {
  tools: (model) => `The model ${model} cannot use tools, so it can neither look things up nor suggest changes.`,
  structured_output: (model) => `The model ${model} cannot answer in a fixed form.`,
  vision: (model) => `The model ${model} cannot see pictures.`,
  images: () => 'No model that makes pictures is connected.',
}

/** Does the same as `findProblem` of `AiState`, for this connection. */
export function findAiProblem(connection: AiConnection, abilities: readonly AiAbility[] = []): string | undefined {
  const { source, key_state, model, image_model, capabilities } = connection
  if (source === 'off') return 'No AI is connected. Connect one on the account page, or ask the operator of this server.'
  if (key_state === 'lost') return 'The key of your AI connection can no longer be read. Enter it again on the account page.'
  const missing = abilities.find((ability) => (ability === 'images' && image_model === '') || capabilities[ability] === false)
  if (missing === undefined) return undefined
  const ownRemedy = missing === 'images' ? 'Choose one on the account page.' : 'Choose another one on the account page.'
  const remedy = source === 'own' ? ownRemedy : 'Connect one on the account page, or ask the operator of this server.'
  return `${missingAbilityTexts[missing](model)} ${remedy}`
}
