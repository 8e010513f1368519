// A stand-in for the CRM Insightly over HTTP: the general host, which redirects to the host of the account, and the host of the account,
// which has users, organisations and contacts. `node server/testing/insightly-server.ts --port 4997` runs it alone, for looking at the
// product.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { parseArgs } from 'node:util'

export type InsightlyRecord = Record<string, unknown>
type InsightlyRequest = { path: string; query: URLSearchParams; authorization: string | undefined; host: 'general' | 'account' }

/**
 * What a request gets instead of its response. `cut`: the connection ends in the middle of the response. `silence`: nothing arrives.
 * `query`: the response to other parameters, such as those of an earlier page. `headers` alone are added to the usual response.
 */
export type Fault = Failure | { query: Record<string, string> } | { headers: Record<string, string> }
type Failure = 'cut' | 'silence' | { status: number; headers?: Record<string, string>; body?: unknown }

export type InsightlyOptions = {
  /** The only key that is accepted. */
  key?: string
  contacts?: InsightlyRecord[]
  organisations?: InsightlyRecord[]
  port?: number
  /** Decides for each request whether something goes wrong. */
  respond?: (request: InsightlyRequest) => Fault | undefined | void
}

export type InsightlyServer = AsyncDisposable & {
  /** The API URL of the general host. */
  url: string
  /** The API URL of the host of the account. */
  accountUrl: string
  key: string
  /** The rows of the CRM, which tests change. A change must also set `DATE_UPDATED_UTC`. */
  contacts: InsightlyRecord[]
  organisations: InsightlyRecord[]
  requests: InsightlyRequest[]
  setRespond: (respond: InsightlyOptions['respond']) => void
}

/** Starts both hosts on this machine, on free ports unless the options name one for the general host. */
export async function startInsightly({
  key = 'insightly-key-0001',
  contacts = createContacts(3),
  organisations = createOrganisations(3),
  port = 0,
  respond: firstRespond,
}: InsightlyOptions = {}): Promise<InsightlyServer> {
  let respond = firstRespond
  const requests: InsightlyRequest[] = []
  const general = createServer((message, response) => {
    const request = toRequest(message, 'general')
    requests.push(request)
    const fault = respond?.(request)
    if (isFailure(fault)) return fail(fault, response)
    const location = new URL(message.url ?? '/', accountOrigin)
    if (fault && 'query' in fault) location.search = new URLSearchParams(fault.query).toString()
    response.writeHead(302, { location: location.href, ...(fault && 'headers' in fault && fault.headers) }).end()
  })
  const account = createServer((message, response) => {
    const request = toRequest(message, 'account')
    requests.push(request)
    const fault = respond?.(request)
    if (isFailure(fault)) return fail(fault, response)
    const headers = { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '9000', ...(fault && 'headers' in fault && fault.headers) }
    // the public clients of Insightly send the key with and without a colon
    if (![`${key}:`, key].includes(readKey(request.authorization)))
      return send(response, 401, { Name: 'Unauthorized', Message: 'The API key is not valid' }, headers)
    answer(request, fault && 'query' in fault ? new URLSearchParams(fault.query) : request.query, response, headers)
  })

  function answer({ path }: InsightlyRequest, query: URLSearchParams, response: ServerResponse, headers: Record<string, string>): void {
    const rowsByName: Record<string, InsightlyRecord[]> = { Contacts: contacts, Organisations: organisations }
    const [, name = '', search] = /^\/v3\.1\/(\w+)(\/Search)?$/.exec(path) ?? []
    if (path === '/v3.1/Users/Me') return send(response, 200, { USER_ID: 1, FIRST_NAME: 'Ada' }, headers)
    const rows = rowsByName[name]
    if (!rows) return send(response, 404, { Name: 'NotFound', Message: `There is no ${path}` }, headers)
    const since = search && query.get('updated_after_utc')
    const matching = since ? rows.filter((row) => toTime(row['DATE_UPDATED_UTC']) > Date.parse(since)) : rows
    const skip = Number(query.get('skip') ?? 0)
    const page = matching.slice(skip, skip + Math.min(Number(query.get('top') ?? 100), 500))
    const total = query.get('count_total') === 'true' && { 'x-total-count': String(matching.length) }
    send(response, 200, page, { ...headers, ...total })
  }

  const accountOrigin = await listen(account, 0)
  const origin = await listen(general, port)
  return {
    url: `${origin}/v3.1`,
    accountUrl: `${accountOrigin}/v3.1`,
    key,
    contacts,
    organisations,
    requests,
    setRespond: (newRespond) => {
      respond = newRespond
    },
    [Symbol.asyncDispose]: async () => {
      for (const server of [general, account]) {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
    },
  }
}

async function listen(server: Server, port: number): Promise<string> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
}

function toRequest({ url = '/', headers }: IncomingMessage, host: InsightlyRequest['host']): InsightlyRequest {
  const { pathname, searchParams } = new URL(url, 'http://insightly.test')
  return { path: pathname, query: searchParams, authorization: headers.authorization, host }
}

const readKey = (authorization = ''): string => Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString()

const isFailure = (fault: Fault | undefined | void): fault is Failure =>
  fault !== undefined && (fault === 'cut' || fault === 'silence' || 'status' in fault)

function fail(fault: Failure, response: ServerResponse): void {
  if (fault === 'silence') return
  if (fault === 'cut') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('[{"CONTACT_ID":', () => response.destroy())
    return
  }
  send(response, fault.status, fault.body ?? { Name: 'Error', Message: 'Something failed' }, fault.headers ?? {})
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string>): void {
  const isText = typeof body === 'string'
  response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...headers })
  response.end(isText ? body : JSON.stringify(body))
}

/** Parses a time of Insightly, which is in UTC without a mark of the zone. */
const toTime = (text: unknown): number => Date.parse(`${String(text).replace(' ', 'T')}Z`)

/** Creates organisations with the ids from 501. */
export const createOrganisations = (count: number): InsightlyRecord[] =>
  Array.from({ length: count }, (_, index) => ({ ORGANISATION_ID: 501 + index, ORGANISATION_NAME: `Company ${index + 1}` }))

/**
 * Creates contacts with the ids from 1001, as Insightly sends them: many values are null, and a date of zeros means that there is no date.
 */
export const createContacts = (count: number): InsightlyRecord[] =>
  Array.from({ length: count }, (_, index) => ({
    CONTACT_ID: 1001 + index,
    SALUTATION: index % 3 === 0 ? 'Dr.' : null,
    FIRST_NAME: `First${index + 1}`,
    LAST_NAME: `Last${index + 1}`,
    EMAIL_ADDRESS: `person${index + 1}@example.com`,
    PHONE: null,
    PHONE_MOBILE: `+44 20 7946 ${String(index % 10_000).padStart(4, '0')}`,
    ORGANISATION_ID: index % 4 === 3 ? null : 501 + (index % 4),
    TITLE: 'Buyer',
    ADDRESS_MAIL_CITY: 'London',
    ADDRESS_MAIL_COUNTRY: '',
    BACKGROUND: null,
    DATE_OF_BIRTH: '0000-00-00 00:00:00',
    DATE_CREATED_UTC: '2024-02-01 10:00:00',
    DATE_UPDATED_UTC: '2025-03-01 10:00:00',
    CUSTOMFIELDS: [{ FIELD_NAME: 'Shoe_Size__c', FIELD_VALUE: 40 + (index % 5), CUSTOM_FIELD_ID: 'Shoe_Size__c' }],
    TAGS: index % 2 === 0 ? [{ TAG_NAME: 'Customer' }] : [],
    DATES: [],
    LINKS: [],
  }))

if (import.meta.main) {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '4997' }, contacts: { type: 'string', default: '1200' } } })
  const { url, key } = await startInsightly({ port: Number(values.port), contacts: createContacts(Number(values.contacts)) })
  console.log(`The stand-in of Insightly is open at ${url}, with the key ${key}`)
}
