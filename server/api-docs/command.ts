import { exampleId, exampleNames } from '#contract/examples.ts'
import type { Route } from '#contract/route.ts'

/** Returns a curl command that sends the example of a route. The key and the ids of records are placeholders in capital letters. */
export function toCommand({ method, path, upload, download, file, example }: Route, origin: string): string {
  const { params = {}, query, body } = example
  const url = origin + path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(params[name] ?? name.toUpperCase()))
  const parts = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quote(query ? `${url}?${new URLSearchParams(query).toString()}` : url)}`,
    `-H 'x-api-key: YOUR_API_KEY'`,
    ...(upload ? [`-H 'content-type: application/octet-stream'`, '--data-binary @FILE'] : []),
    ...(!upload && body !== undefined ? [`-H 'content-type: application/json'`, `-d ${quote(JSON.stringify(body))}`] : []),
    ...(download || file ? ['-o FILE'] : []),
  ]
  return nameIds(parts.join(' \\\n  '))
}

/** Replaces the fixed ids of the examples by names such as `CONTACT_ID`. */
const nameIds = (text: string): string => exampleNames.reduce((named, name) => named.replaceAll(exampleId(name), placeholderOf(name)), text)

/** Returns the word that stands for the id of an example. */
export const placeholderOf = (name: (typeof exampleNames)[number]): string =>
  `${name
    .replaceAll(/([A-Z])/g, ' $1')
    .trim()
    .replaceAll(' ', '_')
    .toUpperCase()}_ID`

/** Quotes a text for a shell. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
