// Visitors wait for a free time, and get one mail when there is one.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BookingLink } from '#contract/bookingLinks.ts'
import { sql } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { addDays } from '#server/platform/time/local-time.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { commitDuringWait } from '#server/testing/commit-during-wait.ts'
import { contentPages } from '#server/testing/pages.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf, undo } from '#server/testing/records.ts'
import { addLink, at, createVisitClock, createVisitor, createVisits, everyDay, type StoredMail } from '#server/testing/visits.ts'
import { waitUntil } from '#server/testing/wait.ts'

const clock = createVisitClock()
let app: TestApp
let ada: Person
let link: BookingLink
let visits: ReturnType<typeof createVisits>
beforeAll(async () => {
  app = await openTestApp({ now: clock.now, pages: contentPages, mail: { isConfigured: true, send: async () => {} } })
})
afterAll(async () => {
  await app.stop()
})
beforeEach(async () => {
  clock.set('2026-11-23T08:00:00Z')
  ada = await signInAs(app, 'ada')
  link = await addLink(ada, { availability: everyDay('10:00', '11:00') }) // two times on each day
  visits = createVisits(app, clock, ada, link)
})

/** Opens the page as a new visitor, lets some seconds pass and waits. */
async function wait(body: object = {}, bookingLink = link, visitor = createVisitor(app, ada, bookingLink)) {
  const page = await visitor.open()
  clock.pass(10)
  const response = await app.server.inject({
    method: 'POST',
    url: `/api/public/booking-links/${bookingLink.id}/waits`,
    remoteAddress: visitor.remoteAddress,
    payload: {
      date: '2026-11-24',
      days: 1,
      timezone: 'Europe/London',
      name: 'Free pills visit xyz.biz',
      email: visitor.email,
      ...page,
      ...body,
    },
  })
  return { visitor, page, response, stop: response.statusCode === 201 ? await readStopAddress(response.json().address) : '' }
}

async function readStopAddress(address: string): Promise<string> {
  const { waiting } = (await visits.get(address)).json().content
  return String(waiting?.stop_url).replace('http://foyer.test', '')
}

/** Runs the jobs of waits without the pause before them, and returns the mails about free times. */
async function readFreeTimeMails(): Promise<StoredMail[]> {
  const ofAda = `from jobs.jobs where owner = $1 and type = 'booking waits'`
  await app.tableOwner.query(`update jobs.jobs set run_at = '-infinity' where id in (select id ${ofAda})`, [ada.id])
  await app.tableOwner.query(`select pg_notify('jobs', '')`)
  await waitUntil(async () => (await app.tableOwner.query(`select ${ofAda}`, [ada.id])).rowCount === 0)
  return (await visits.readMails()).filter(({ subject }) => subject.startsWith('A time is free'))
}

const bookDay = async (times = ['10:00', '10:30']) => {
  const ids: string[] = []
  for (const time of times) ids.push((await visits.bookWithLinks({ start_time: at(time) })).id)
  return ids
}
const readLink = async (): Promise<BookingLink> => (await ada.send({ url: `/api/booking-links/${link.id}` })).json()

test('a visitor who waits gets one mail when a booking is cancelled, without any text of the visitor, and books the time', async () => {
  const [first = '', second = ''] = await bookDay()
  const { visitor } = await wait()
  expect(await readLink()).toMatchObject({ waiting_count: 1, waiting: [{ email: visitor.email, first_day: '2026-11-24' }] })
  expect(await readFreeTimeMails()).toEqual([])
  await visits.bookings.edit(first, { status: 'cancelled' })
  const [mail, ...others] = await readFreeTimeMails()
  expect([mail?.to_address, mail?.subject, others]).toEqual([visitor.email, 'A time is free: Engine visit', []])
  expect(mail?.content).toContain('Tuesday, 24 November 2026, 10:00 to 10:30\n(London, GMT)')
  expect(mail?.content).not.toMatch(/pills|10:30 to 11:00/)
  expect(mail?.expires_at).toEqual(new Date('2026-11-25T00:00:00Z')) // the end of the day
  await visits.bookings.edit(second, { status: 'cancelled' })
  await app.runSchedule('booking waits', clock.now())
  expect(await readFreeTimeMails()).toHaveLength(1)
  expect(await readLink()).toMatchObject({ waiting_count: 0, waiting: [] })
  const [, address = ''] = /http:\/\/foyer\.test(\/book\/\S+)/.exec(mail?.content ?? '') ?? []
  expect((await visits.get(address)).json().content.choice).toMatchObject({ date: '2026-11-24', timezone: 'Europe/London' })
  expect((await visits.book()).response.statusCode).toBe(201)
})

test('a visitor who waits gets a mail when a booking is moved or deleted, or the hours change, but not when a cancellation is undone at once', async () => {
  const [first = '', second = ''] = await bookDay()
  await wait()
  await undo(ada, await visits.bookings.patch(first, { status: 'cancelled' }))
  expect(await readFreeTimeMails()).toEqual([])
  await visits.bookings.edit(first, { start_time: at('10:00', 25), end_time: at('10:30', 25) })
  expect(await readFreeTimeMails()).toHaveLength(1)
  await wait()
  await visits.book()
  expect(await readFreeTimeMails()).toHaveLength(1) // the time became free before, and was taken again
  await visits.bookings.remove(second)
  expect(await readFreeTimeMails()).toHaveLength(2)
  await visits.book({ start_time: at('10:30') })
  await wait()
  await recordsOf(ada, '/api/booking-links').edit(link.id, { availability: everyDay('10:00', '12:00') })
  const mails = await readFreeTimeMails()
  expect(mails).toHaveLength(3)
  expect(mails.at(-1)?.content).toContain('11:00 to 11:30')
})

test('a visitor who waits gets no mail about times that were free already, and one mail when a taken time of the seven days becomes free', async () => {
  const [first = ''] = await bookDay(['10:00'])
  const { visitor } = await wait({ days: 7 })
  const taken = await visits.bookWithLinks({ start_time: at('10:00', 30) }) // the last of the seven days
  const other = await visits.bookWithLinks({ start_time: at('10:00', 26) })
  expect(await readFreeTimeMails()).toEqual([]) // the job also stores that both times are taken now
  await visits.bookings.edit(taken.id, { status: 'cancelled' })
  await visits.bookings.edit(other.id, { notes: 'Nothing becomes free' })
  expect((await readFreeTimeMails()).map(({ to_address: to }) => to)).toEqual([visitor.email])
  await visits.bookings.edit(first, { status: 'cancelled' })
  expect(await readFreeTimeMails()).toHaveLength(1)
})

test('a visitor who waits gets no mail after the day, of an inactive link, or after the account was deleted', async () => {
  const [first = ''] = await bookDay()
  await wait()
  await recordsOf(ada, '/api/booking-links').edit(link.id, { is_active: false })
  await visits.bookings.edit(first, { status: 'cancelled' })
  expect(await readFreeTimeMails()).toEqual([])
  const count = async () => (await app.tableOwner.query('select from booking_waits where user_id = $1', [ada.id])).rowCount
  await app.runSchedule('booking waits', new Date('2026-11-25T08:00:00Z'))
  await recordsOf(ada, '/api/booking-links').edit(link.id, { is_active: true })
  expect([await count(), await readFreeTimeMails()]).toEqual([0, []])
  await wait({ date: '2026-11-26' })
  const deleted = await ada.send({ method: 'POST', url: '/api/account/delete', payload: { password: 'engine no. 1' } })
  expect(deleted.statusCode, deleted.body).toBeLessThan(300)
  await waitUntil(async () => (await count()) === 0)
})

test('a visitor who waits stops only one wait with the link of the page, because anybody can enter the email of somebody else', async () => {
  const [first = ''] = await bookDay()
  const { visitor, stop } = await wait()
  const other = await wait({ date: '2026-11-27', email: visitor.email.toUpperCase() })
  for (const method of ['GET', 'HEAD'] as const) expect((await visits.get(stop, method)).statusCode).toBe(200)
  const open = { kind: 'open', stops_all: false, days: ['Tuesday, 24 November 2026'] }
  expect((await visits.get(stop)).json().content).toMatchObject(open)
  expect((await readLink()).waiting_count).toBe(2)
  for (let times = 0; times < 2; times++) {
    const stopped = await visits.post(stop)
    expect([stopped.statusCode, stopped.json().content]).toMatchObject([200, { kind: 'stopped', stops_all: false, is_done: true }])
  }
  await visits.bookings.edit(first, { status: 'cancelled' })
  expect([(await readLink()).waiting, await readFreeTimeMails()]).toMatchObject([[{ first_day: '2026-11-27' }], []])
  expect((await visits.get(other.stop)).json().content).toMatchObject({ kind: 'open' })
  const cancel = stop.replace('/wait/', '/cancel/')
  expect([(await visits.get(`${stop}x`)).statusCode, (await visits.post(`${stop}x`)).statusCode]).toEqual([404, 404])
  expect((await visits.get(cancel)).statusCode).toBe(404)
})

test('a visitor who waits stops all mails with the link of a mail, also when the wait of that mail has ended', async () => {
  const [first = ''] = await bookDay()
  const { visitor } = await wait()
  await wait({ date: '2026-11-27', email: visitor.email.toUpperCase() })
  await wait({ date: '2026-11-27', days: 7, email: visitor.email }, await addLink(ada, { title: 'Tea' }))
  await wait({ date: '2026-11-27' })
  await visits.bookings.edit(first, { status: 'cancelled' })
  const [, stop = ''] = /http:\/\/foyer\.test(\/booking\/wait\/\S+)/.exec((await readFreeTimeMails())[0]?.content ?? '') ?? []
  await app.runSchedule('booking waits', new Date('2026-11-25T08:00:00Z')) // deletes the wait of the mail
  expect((await visits.get(stop)).json().content).toMatchObject({
    kind: 'open',
    stops_all: true,
    title: 'Free times',
    days: ['Engine visit: Friday, 27 November 2026', 'Tea: Friday, 27 November 2026 to Thursday, 3 December 2026'],
  })
  expect((await readLink()).waiting_count).toBe(2)
  for (let times = 0; times < 2; times++)
    expect((await visits.post(stop)).json().content).toMatchObject({ kind: 'stopped', stops_all: true, is_done: true })
  expect((await readLink()).waiting).toHaveLength(1)
  expect((await visits.post(`${stop}x`)).statusCode).toBe(404)
})

test('a visitor who waits gets the confirmation also when the link is switched off while the request runs', async () => {
  await bookDay()
  const { visitor } = await wait()
  const first = async (): Promise<void> => {
    // changes no value, but locks the wait, so that the second request must wait for the commit
    await sql('update booking_waits set mailed_at = null where user_id = $1', [ada.id])
    await sql('update booking_links set is_active = false where user_id = $1 and id = $2', [ada.id, link.id])
  }
  const second = () => wait({}, link, visitor)
  await commitDuringWait({
    ...app,
    caller: callerFor(ada.id),
    first,
    second: async () => expect((await second()).response.statusCode).toBe(201),
  })
})

test('waiting has the same checks as booking', async () => {
  const { page } = await wait({ subject_line: 'filled' })
  const refused = [
    [{ subject_line: 'filled' }, 'visit_refused'],
    [{ proof: undefined }, 'visit_refused'],
    [{ page_token: 'altered' }, 'visit_refused'],
    [{ timezone: 'Mars/Base' }, 'invalid'],
    [{ date: '2026-11-22' }, 'invalid'],
    [{ date: '2030-01-01' }, 'invalid'],
    [{ days: 3 }, 'invalid'],
    [{ name: ' ' }, 'invalid'],
    [{ email: 'mary' }, 'invalid'],
  ] as const
  for (const [body, code] of refused) expect((await wait(body)).response.json().code, JSON.stringify(body)).toBe(code)
  // a refused request does not use up its page, and a stored wait does
  const again = await wait(page)
  expect([again.response.statusCode, (await wait(page)).response.json().code]).toEqual([201, 'visit_refused'])
  await recordsOf(ada, '/api/booking-links').edit(link.id, { is_active: false })
  expect((await wait()).response.statusCode).toBe(404)
})

test('somebody else who enters the email of a visitor cannot change or stop the wait', async () => {
  const first = await wait()
  const other = await wait({ email: first.visitor.email, timezone: 'Asia/Tokyo' })
  expect([other.response.statusCode, other.response.json().fields]).toEqual([
    422,
    { email: 'A mail about these days will be sent to this email already' },
  ])
  expect((await wait({}, link, first.visitor)).response.statusCode).toBe(201) // the visitor may send the same wait again
  const { rows } = await app.tableOwner.query('select timezone from booking_waits where user_id = $1', [ada.id])
  expect(rows).toEqual([{ timezone: 'Europe/London' }])
})

test('a link of an ended wait does not stop the next wait for the same days, because another visitor may have added it', async () => {
  const [booking = ''] = await bookDay()
  const stranger = await wait()
  await visits.bookings.remove(booking)
  expect(await readFreeTimeMails()).toHaveLength(1)
  await wait({ email: stranger.visitor.email })
  expect((await visits.post(stranger.stop)).json().content).toMatchObject({ kind: 'stopped', stops_all: false, is_done: true })
  const { rows } = await app.tableOwner.query('select mailed_at from booking_waits where user_id = $1', [ada.id])
  expect(rows).toEqual([{ mailed_at: null }])
})

test('one network can add only some of the waits for an email, and all networks together have a larger limit', async () => {
  const email = 'mary@example.org'
  const waitFrom = async (visitor: ReturnType<typeof createVisitor>, day: number, entered = email) => {
    clock.pass(4 * 60) // visitors with one email may send ten requests in 15 minutes
    return (await wait({ date: addDays('2026-11-24', day), email: entered }, link, visitor)).response
  }
  const refused = { email: expect.stringMatching(/^No more days/) }
  const [stranger, victim] = [createVisitor(app, ada, link), createVisitor(app, ada, link)]
  for (let day = 0; day < 5; day++) expect((await waitFrom(stranger, day)).statusCode).toBe(201)
  expect((await waitFrom(stranger, 5, 'MARY@example.org')).json().fields).toEqual(refused)
  expect((await waitFrom(stranger, 5, 'another@example.org')).statusCode).toBe(201)
  for (let day = 5; day < 10; day++) expect((await waitFrom(victim, day)).statusCode).toBe(201)
  for (let day = 10; day < 20; day++) expect((await waitFrom(createVisitor(app, ada, link), day)).statusCode).toBe(201)
  expect((await waitFrom(createVisitor(app, ada, link), 20)).json().fields).toEqual(refused)
})

test('without script, the form of the page adds a wait, and a refused form shows the errors', async () => {
  await bookDay()
  const visitor = createVisitor(app, ada, link)
  const { content, parts } = await visitor.page('?date=2026-11-24')
  expect([content.choice.times, content.sends_mail]).toEqual([[], true])
  clock.pass(10)
  const fields = { link_id: link.id, page_token: parts.token, timezone: 'Europe/London', date: '2026-11-24', name: 'Mary' }
  const send = (email: string) => visits.post(`/book/${link.slug}`, { ...fields, start_time: '', email, action: 'wait', wait_days: '7' })
  expect((await send('mary')).json().content.problem.fields).toEqual({ email: 'Enter an email like name@example.com' })
  const sent = await send(' mary@example.org')
  expect(sent.json().content.waiting, sent.body).toMatchObject({
    days: 'Tuesday, 24 November 2026 to Monday, 30 November 2026',
    email: 'mary@example.org',
  })
  expect((await readLink()).waiting).toMatchObject([{ name: 'Mary', first_day: '2026-11-24', last_day: '2026-11-30' }])
})

test('when a form without script names two actions, the last action is done, and the wait of another visitor is not shown', async () => {
  const { visitor } = await wait()
  const actions = ['wait', 'book']
  for (const [index, days] of ['1', 'x', '99999999999'].entries()) {
    for (const [first = '', last = ''] of [actions.toReversed(), actions]) {
      const { parts } = await createVisitor(app, ada, link).page()
      clock.pass(3600) // a network may send three requests without a proof in an hour
      const fields = { link_id: link.id, page_token: parts.token, timezone: 'Asia/Tokyo', name: 'Eve', phone: '', notes: '' }
      const wanted = { start_time: at('10:00', 25 + index), email: visitor.email, date: '2026-11-24', wait_days: days }
      const entries = Object.entries({ ...fields, ...wanted })
      // a wait is refused with 422, because the email waits for these days already or the number of days is wrong
      const { statusCode, body } = await visits.post(`/book/${link.slug}`, [['action', first], ...entries, ['action', last]])
      expect([statusCode, body.includes('/booking/wait/')], body).toEqual([last === 'book' ? 200 : 422, false])
      expect(JSON.parse(body).content.booked !== null).toBe(last === 'book')
    }
  }
  expect((await readLink()).waiting_count).toBe(1)
})
