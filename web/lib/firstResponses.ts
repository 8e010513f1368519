// The responses of the API that the server has put into the document, so that the first screen does not wait for requests.

/** After this time the responses may be too old. It is the time for which a query counts as fresh. */
const maxAgeMs = 30_000

let responses: Map<string, unknown> | undefined

/** Takes the response to a GET request out of the document. Returns undefined when the document does not contain it. */
export function takeFirstResponse(address: string): Response | undefined {
  responses ??= readResponses()
  const isFresh = performance.now() < maxAgeMs // `performance.now` is the age of the page
  const body = responses.get(address)
  responses.delete(address)
  return isFresh && body !== undefined ? Response.json(body) : undefined
}

/** Removes the responses. Must be called when the data or the user may have changed since the document was sent. */
export function dropFirstResponses(): void {
  responses = new Map()
}

/** Reads the element that `server/platform/http/pages.production.ts` writes. */
function readResponses(): Map<string, unknown> {
  const element = document.getElementById('first-responses')
  const bodies: Record<string, unknown> = JSON.parse(element?.textContent ?? '{}')
  element?.remove() // frees the memory
  return new Map(Object.entries(bodies))
}
