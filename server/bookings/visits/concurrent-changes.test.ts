// A visitor books or moves while another change of the same rows is committed.
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BookingLink } from '#contract/bookingLinks.ts'
import { sql } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { commitDuringWait } from '#server/testing/commit-during-wait.ts'
import { contentPages } from '#server/testing/pages.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf } from '#server/testing/records.ts'
import { addLink, at, createVisitClock, createVisitor, createVisits, everyDay } from '#server/testing/visits.ts'

const clock = createVisitClock()
let app: TestApp
let ada: Person
let link: BookingLink
let visits: ReturnType<typeof createVisits>
beforeAll(async () => {
  app = await openTestApp({ now: clock.now, pages: contentPages })
})
afterAll(async () => {
  await app.stop()
})
beforeEach(async () => {
  clock.set('2026-11-23T08:00:00Z')
  ada = await signInAs(app, 'ada')
  link = await addLink(ada, { availability: everyDay('09:00', '17:00') })
  visits = createVisits(app, clock, ada, link)
})

type Visitor = ReturnType<typeof createVisitor>

const commitFirst = (statement: string, id: string, second: () => Promise<LightMyRequestResponse>) =>
  commitDuringWait({ ...app, caller: callerFor(ada.id), first: () => sql(statement, [ada.id, id]), second })

test('a booking that is cancelled during a move stays cancelled, and the visitor gets no mail about the move', async () => {
  const { id, move } = await visits.bookWithLinks()
  const moved = await commitFirst(`update bookings set status = 'cancelled' where user_id = $1 and id = $2`, id, () =>
    visits.post(move, { start_time: at('12:00'), timezone: 'Europe/London' }),
  )
  expect(moved.json().content).toMatchObject({ state: 'cancelled' })
  expect(await visits.bookings.get(id)).toMatchObject({ status: 'cancelled', start_time: '2026-11-24T10:00:00Z' })
  expect((await visits.readMails()).filter(({ subject }) => subject.includes('oved'))).toEqual([])
})

test('a move is refused if the owner moves the booking during the request', async () => {
  const { id, move } = await visits.bookWithLinks()
  const moveByOwner = `update bookings set start_time = '${at('11:00')}', end_time = '${at('11:30')}' where user_id = $1 and id = $2`
  const refused = await commitFirst(moveByOwner, id, () =>
    visits.post(move, { start_time: at('14:00'), timezone: 'Europe/London', booked_start: at('10:00') }),
  )
  expect([refused.statusCode, refused.json().content.problem.fields]).toEqual([
    422,
    { start_time: expect.stringContaining('This booking was moved since you opened the page.') },
  ])
  expect(await visits.bookings.get(id)).toMatchObject({ start_time: '2026-11-24T11:00:00Z' })
})

async function bookDuring(
  statement: string,
  id = link.id,
  { visitor = createVisitor(app, ada, link), ...fields }: { visitor?: Visitor; phone?: string } = {},
): Promise<LightMyRequestResponse> {
  const page = await visitor.open()
  clock.pass(10)
  return commitFirst(statement, id, () => visitor.send({ start_time: at('10:00'), ...fields, ...page }))
}

test('a booking does not overwrite a value that its contact gets during the request', async () => {
  const visitor = createVisitor(app, ada, link)
  const contacts = recordsOf(ada, '/api/contacts')
  const { id } = await contacts.add({ first_name: 'Mary', last_name: 'Somerville', email: visitor.email })
  const statement = `update crm_contacts set phone = '+44 20 7946 0018' where user_id = $1 and id = $2`
  expect((await bookDuring(statement, id, { visitor, phone: '+44 20 7946 0999' })).statusCode).toBe(201)
  expect(await contacts.get(id)).toMatchObject({ phone: '+44 20 7946 0018' })
})

test('a booking respects a limit that its link gets during the request', async () => {
  await visits.book({ start_time: at('14:00') })
  // also locks the row of the profile, because a booking waits for this lock
  const setLimit = `update booking_links set max_per_day = 1 from (select from profiles where user_id = $1 for no key update) where user_id = $1 and id = $2`
  expect((await bookDuring(setLimit)).statusCode).toBe(409)
})

test('a booking through a link that is deleted during the request gets not_found', async () => {
  expect((await bookDuring('delete from booking_links where user_id = $1 and id = $2')).json().code).toBe('not_found')
  expect((await visits.bookings.list()).rows).toEqual([])
})
