/** The AI connection that the operator has set for all owners. Prices are in US dollars per million tokens. */
export type OperatorConnection = {
  baseUrl: string
  key: { reveal: () => string } | undefined
  model: string
  imageModel: string | undefined
  inputPrice: number | null
  outputPrice: number | null
}

/** `maxTokensPerDay`: how many tokens of the operator's AI an owner may use in a day; undefined without a limit. */
export type AiSettings = { connection: OperatorConnection | undefined; maxTokensPerDay: number | undefined }
