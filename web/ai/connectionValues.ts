import type * as z from 'zod/mini'
import { NewAiConnection, type AiConnection, type ConnectionToTest } from '#contract/ai.ts'
import { getFieldErrors } from '#web/lib/forms.ts'
import { describeNumberFormat, parseNumber } from '#web/lib/numbers.ts'

/** The values of the form as texts. An empty `key` keeps the stored key. */
export type ConnectionValues = {
  base_url: string
  key: string
  model: string
  image_model: string
  input_price: string
  output_price: string
}

/** Returns the values of the account's own connection; without one, empty values: the connection of the operator cannot be edited. */
export function valuesOf({ source, base_url, model, image_model, input_price, output_price }: AiConnection): ConnectionValues {
  if (source !== 'own') return { base_url: '', key: '', model: '', image_model: '', input_price: '', output_price: '' }
  const toText = (price: number | null): string => (price === null ? '' : String(price))
  return { base_url, key: '', model, image_model, input_price: toText(input_price), output_price: toText(output_price) }
}

/** Returns the body of the request that tests the connection. */
export const toConnectionToTest = ({ base_url, key, model, image_model }: ConnectionValues): ConnectionToTest => ({
  ...toEndpoint({ base_url, key }),
  model,
  image_model,
})

/** Returns the address and, if a key was typed, the key. */
export const toEndpoint = ({ base_url, key }: Pick<ConnectionValues, 'base_url' | 'key'>) => ({
  base_url,
  ...(key.trim() !== '' && { key }),
})

/** Returns the body of the request that saves the connection. */
export const toNewConnection = (values: ConnectionValues): z.input<typeof NewAiConnection> => ({
  ...toConnectionToTest(values),
  input_price: parsePrice(values.input_price) ?? null,
  output_price: parsePrice(values.output_price) ?? null,
})

const parsePrice = (text: string): number | undefined => (text.trim() === '' ? undefined : parseNumber(text))

/** Returns the error messages of the form by field. */
export function validateConnection(values: ConnectionValues): Record<string, string> {
  const errors = getFieldErrors(NewAiConnection, toNewConnection(values))
  for (const field of ['input_price', 'output_price'] as const) {
    if (values[field].trim() !== '' && parsePrice(values[field]) === undefined) errors[field] = describeNumberFormat()
  }
  return errors
}

/** Returns the origin of an address; undefined while it is not complete. */
export const originOf = (address: string): string | undefined => {
  const url = URL.parse(address.trim())
  return url && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url.origin : undefined
}
