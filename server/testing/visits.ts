import { randomUUID } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import type { BookingLink } from '#contract/bookingLinks.ts'
import type { BookContent, BookingChangeContent } from '#contract/pages.ts'
import type { AppOptions } from '#server/app.ts'
import type { TestApp } from './app.ts'
import type { Person } from './people.ts'
import { recordsOf } from './records.ts'
import { solveProof } from './visitors.ts'

/** The time of the tests: a Monday. Tests move it. */
export function createVisitClock() {
  let time = Date.parse('2026-11-23T08:00:00Z')
  return {
    now: () => new Date(time),
    pass: (seconds: number) => void (time += seconds * 1000),
    set: (at: string) => void (time = Date.parse(at)),
  }
}

/** Documents of pages that are their content as JSON. */
export const contentPages: AppOptions['pages'] = {
  application: async () => '<!doctype html>',
  publicPage: async (name, content) => JSON.stringify({ name, content }),
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

let visitors = 0

/** A visitor with an own network address. */
export function createVisitor(app: TestApp, person: Person, { id, slug }: Pick<BookingLink, 'id' | 'slug'>) {
  visitors++
  const remoteAddress = `10.${visitors >> 16}.${(visitors >> 8) & 255}.${visitors & 255}`
  const email = `visitor-${visitors}@example.org`
  return {
    email,
    remoteAddress,
    /** Opens the page, and returns what a request must send of it. */
    open: async () => {
      const { token, challenge } = await app.router.visitors.openPage({ owner: person.id, kind: 'booking link', id }, remoteAddress)
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
    page: async (
      query = '',
    ): Promise<{ status: number; content: Extract<BookContent, { kind: 'link' }>; headers: Record<string, unknown> }> => {
      const response = await app.server.inject({ url: `/book/${slug}${query}`, remoteAddress })
      return { status: response.statusCode, content: response.json().content, headers: response.headers }
    },
  }
}

export type OpenChange = Exclude<BookingChangeContent, { kind: 'unknown' }>
