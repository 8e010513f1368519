// Visitors of booking links, who open the page of a link and book a time.
import { randomUUID } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import type { BookingLink } from '#contract/bookingLinks.ts'
import type { BookContent, PageParts } from '#contract/pages.ts'
import type { TestApp } from './app.ts'
import type { Person } from './people.ts'
import { recordsOf } from './records.ts'
import { solveProof } from './visitors.ts'

/** Returns a clock that begins on a Monday morning, and that tests move. */
export function createVisitClock() {
  let time = Date.parse('2026-11-23T08:00:00Z')
  return {
    now: () => new Date(time),
    pass: (seconds: number) => void (time += seconds * 1000),
    set: (at: string) => void (time = Date.parse(at)),
  }
}

/** Adds a booking link with these fields and a slug of its own. */
export async function addLink(person: Person, fields: object = {}): Promise<BookingLink> {
  const { id } = await recordsOf(person, '/api/booking-links').add({ title: 'Engine visit', ...fields })
  return (await person.send({ url: `/api/booking-links/${id}` })).json()
}

/** Hours on every day of the week. */
export const everyDay = (from: string, to: string) => ({
  weekly: [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, from, to })),
  days_off: [],
  dates: [],
})

type OpenedPage = {
  status: number
  headers: Record<string, unknown>
  content: Extract<BookContent, { kind: 'link' }>
  parts: PageParts
}

let visitorCount = 0

/** Returns a visitor with a network address of its own. */
export function createVisitor(app: TestApp, person: Person, { id, slug }: Pick<BookingLink, 'id' | 'slug'>) {
  visitorCount++
  const remoteAddress = `10.${visitorCount >> 16}.${(visitorCount >> 8) & 255}.${visitorCount & 255}`
  const email = `visitor-${visitorCount}@example.org`
  return {
    email,
    remoteAddress,
    /** Opens the page, and returns those of its values that a request must send. */
    open: async () => {
      const { token, challenge } = app.router.visitors.openPage({ owner: person.id, kind: 'booking link', id }, remoteAddress)
      return { page_token: token, proof: await solveProof(challenge) }
    },
    send: (body: object, key: string = randomUUID()): Promise<LightMyRequestResponse> =>
      app.server.inject({
        method: 'POST',
        url: `/api/public/booking-links/${id}/bookings`,
        remoteAddress,
        headers: { 'idempotency-key': key },
        payload: { timezone: 'Europe/London', name: 'Mary Somerville', email, ...body },
      }),
    times: async (query: Record<string, string> = {}) =>
      app.server.inject({
        url: `/api/public/booking-links/${id}/times?${new URLSearchParams({ timezone: 'Europe/London', ...query }).toString()}`,
        remoteAddress,
      }),
    page: async (query = ''): Promise<OpenedPage> => {
      const response = await app.server.inject({ url: `/book/${slug}${query}`, remoteAddress })
      const { content, parts } = response.json<OpenedPage>()
      return { status: response.statusCode, headers: response.headers, content, parts }
    },
  }
}

export type StoredMail = { to_address: string; subject: string; content: string; state: string; calendar: string; expires_at: Date | null }

/** Returns functions for the visitors of an owner's links. By default they book by `link` at 10:00 UTC on 24 November 2026. */
export function createVisits(app: TestApp, clock: ReturnType<typeof createVisitClock>, owner: Person, link: BookingLink) {
  const readMails = async (): Promise<StoredMail[]> =>
    (await app.tableOwner.query<StoredMail>('select * from outbox_mails where user_id = $1 order by id', [owner.id])).rows

  /** Opens the page as a new visitor, lets some seconds pass and books. */
  async function book(body: object = {}, bookedLink = link) {
    const visitor = createVisitor(app, owner, bookedLink)
    const page = await visitor.open()
    clock.pass(10)
    return { visitor, page, response: await visitor.send({ start_time: '2026-11-24T10:00:00Z', ...page, ...body }) }
  }

  /** Books and returns the paths of the links to cancel and move. */
  async function bookWithLinks(body: object = {}, bookedLink = link) {
    const { response, visitor } = await book(body, bookedLink)
    if (response.statusCode !== 201) throw new Error(response.body)
    const [mail] = (await readMails()).filter(({ to_address: to }) => to === visitor.email)
    const [, move = '', cancel = ''] =
      /To move it: http:\/\/foyer\.test(\S+)\s+To cancel it: http:\/\/foyer\.test(\S+)/.exec(mail?.content ?? '') ?? []
    return { id: String(response.json().id), move, cancel, visitor }
  }

  /** Sends requests of different visitors at the same time, distributed over the processes. */
  async function bookAtOnce(requests: { link?: BookingLink; body: object }[], processes: readonly TestApp[] = [app]) {
    const openedPages = await Promise.all(
      requests.map(async ({ link: bookedLink = link, body }, index) => {
        const visitor = createVisitor(processes[index % processes.length] ?? app, owner, bookedLink)
        return { visitor, body: { ...body, ...(await visitor.open()) } }
      }),
    )
    clock.pass(10)
    return Promise.all(openedPages.map(({ visitor, body }) => visitor.send(body)))
  }

  /** Opens a page as programs do that check the links of mails. */
  const get = (url: string, method: 'GET' | 'HEAD' = 'GET') =>
    app.server.inject({ method, url, headers: { 'user-agent': 'Mozilla/5.0 (scanner)' } })
  /** Sends a form as a browser without scripts does, which opens the address to which the response redirects it. */
  const post = async (url: string, fields: Record<string, string> | [name: string, value: string][] = {}) => {
    const response = await app.server.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://foyer.test' },
      payload: new URLSearchParams(fields).toString(),
    })
    return response.statusCode === 303 ? get(String(response.headers.location)) : response
  }

  return { bookings: recordsOf(owner, '/api/bookings'), readMails, book, bookWithLinks, bookAtOnce, get, post }
}

/** Returns a time of November 2026 in UTC. */
export const at = (time: string, day = 24): string => `2026-11-${day}T${time}:00Z`
