import { MIMEType } from 'node:util'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '#contract/errors.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { bodyLimitBytes } from './body.ts'
import { forwardedHeaders } from './first-responses.ts'
import { limitLargeBodies } from './large-body.ts'
import type { PageForms, SentForm } from './public-pages.ts'

/** The maximum number of entries in a form, which is more than any page has. Reading very many would block all other requests. */
const maxEntries = 5000

/** Sends the page again, as the response to the form. */
type SendPage = (request: FastifyRequest, reply: FastifyReply, sentForm: SentForm) => Promise<FastifyReply>

/**
 * Accepts the forms that browsers without scripts send to the address of a page. Each form is converted to a request of the API, so that
 * the same identity, limits and checks apply with and without scripts.
 */
export function acceptForms(
  server: FastifyInstance,
  path: string,
  { maxBytes, toCall, findOutcomeAddress }: PageForms,
  sendPage: SendPage,
): void {
  // a child server has its own body parsers, which do not affect the other routes
  void server.register(async (childServer) => {
    childServer.removeAllContentTypeParsers()
    limitLargeBodies(childServer)
    const limits = { 'application/x-www-form-urlencoded': Math.min(maxBytes, bodyLimitBytes), 'multipart/form-data': maxBytes }
    for (const [type, bodyLimit] of Object.entries(limits))
      childServer.addContentTypeParser(type, { parseAs: 'buffer', bodyLimit }, (request: FastifyRequest, body: string | Buffer) =>
        parseForm(Buffer.from(body), request.headers['content-type'] ?? ''),
      )
    childServer.post(path, async (request, reply) => {
      const form = request.body
      if (!(form instanceof FormData)) throw new Refusal('malformed')
      const call = await toCall(form, request)
      if (!call) throw new Refusal('visit_refused')
      const { headers, socket } = request
      const { statusCode, body } = await server.inject({
        method: 'POST',
        url: call.url,
        payload: call.body,
        headers: { ...forwardedHeaders(headers), 'idempotency-key': call.key },
        remoteAddress: socket.remoteAddress ?? '',
      })
      const response: unknown = body === '' ? undefined : JSON.parse(body)
      const problem = statusCode < 300 ? undefined : Problem.parse(response)
      if (problem?.retry_after_seconds !== undefined) reply.header('retry-after', problem.retry_after_seconds)
      const sentForm = { form, problem, response: problem ? undefined : response }
      const outcomeAddress = problem ? undefined : findOutcomeAddress?.(sentForm, request)
      return outcomeAddress === undefined ? sendPage(request, reply, sentForm) : reply.redirect(outcomeAddress, 303)
    })
  })
}

/** Parses the body of a form. Throws `malformed`. */
async function parseForm(body: Buffer, type: string): Promise<FormData> {
  try {
    if (hasTooManyEntries(body, type)) throw new Refusal('malformed')
    return await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  } catch (error) {
    throw new Refusal('malformed', {}, error)
  }
}

/** Whether the body has more entries than any form. Counts the separators, because it would take long to parse very many entries. */
function hasTooManyEntries(body: Buffer, type: string): boolean {
  const { essence, params } = new MIMEType(type)
  const separator = essence === 'multipart/form-data' ? `--${params.get('boundary')}` : '&'
  let count = 0
  for (let position = body.indexOf(separator); position !== -1; position = body.indexOf(separator, position + separator.length)) {
    count++
    if (count > maxEntries) return true
  }
  return false
}
