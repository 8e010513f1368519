// The visitor of a booking gets mails about what its owner has changed.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { contentPages } from '#server/testing/pages.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { undo } from '#server/testing/records.ts'
import { addLink, at, createVisitClock, createVisits, everyDay } from '#server/testing/visits.ts'
import { waitUntil } from '#server/testing/wait.ts'

const clock = createVisitClock()
let app: TestApp
let ada: Person
let visits: ReturnType<typeof createVisits>
beforeAll(async () => {
  app = await openTestApp({ now: clock.now, pages: contentPages })
})
afterAll(() => app.stop())
beforeEach(async () => {
  clock.set('2026-11-23T08:00:00Z')
  ada = await signInAs(app, 'ada')
  visits = createVisits(app, clock, ada, await addLink(ada, { availability: everyDay('09:00', '17:00') }))
})

/** Runs the jobs of notices without the pause before them. */
async function runNoticeJobs(): Promise<void> {
  await app.tableOwner.query('update booking_notices set changed_at = null where user_id = $1', [ada.id])
  const ofAda = `from jobs.jobs where owner = $1 and type = 'booking notice'`
  await app.tableOwner.query(`update jobs.jobs set run_at = '-infinity' where id in (select id ${ofAda})`, [ada.id])
  await app.tableOwner.query(`select pg_notify('jobs', '')`)
  await waitUntil(async () => (await app.tableOwner.query(`select ${ofAda}`, [ada.id])).rowCount === 0)
}
/** Runs the jobs, and returns the subjects of all mails to the visitor with the numbers of their calendar files. */
async function readSubjects(email: string): Promise<string[]> {
  await runNoticeJobs()
  const mails = (await visits.readMails()).filter(({ to_address: to }) => to === email)
  return mails.map(({ subject, calendar }) => `${subject} ${/SEQUENCE:(\d+)/.exec(calendar)?.[1]}`)
}

test('a change by the owner is mailed to the visitor, and so is its later undo; a change that is undone at once is not mailed', async () => {
  const { id, visitor } = await visits.bookWithLinks()
  const confirmed = 'Confirmed: Engine visit 0'
  const moved = await visits.bookings.patch(id, { start_time: at('14:00'), end_time: at('14:30') })
  expect(await readSubjects(visitor.email)).toEqual([confirmed, 'Moved: Engine visit 1'])
  expect((await visits.readMails()).at(-1)?.content).toContain('Tuesday, 24 November 2026, 14:00 to 14:30')
  await undo(ada, moved)
  const subjects = [confirmed, 'Moved: Engine visit 1', 'Moved: Engine visit 2']
  expect(await readSubjects(visitor.email)).toEqual(subjects)
  await undo(ada, await visits.bookings.patch(id, { status: 'cancelled' }))
  await visits.bookings.edit(id, { notes: 'Brings the plans' })
  expect(await readSubjects(visitor.email)).toEqual(subjects)
  await visits.bookings.edit(id, { status: 'completed' })
  expect(await readSubjects(visitor.email)).toEqual(subjects)
})

test('a change by the owner that deletes the booking is mailed as a cancellation, and its undo as a new confirmation', async () => {
  const { id, visitor } = await visits.bookWithLinks()
  const deleted = await visits.bookings.remove(id)
  expect((await readSubjects(visitor.email)).at(-1)).toBe('Cancelled: Engine visit 1')
  expect((await visits.readMails()).at(-1)?.calendar).toContain('METHOD:CANCEL')
  await undo(ada, deleted)
  const subjects = await readSubjects(visitor.email)
  expect(subjects).toHaveLength(3)
  expect(subjects.at(-1)).toBe('Confirmed: Engine visit 2')
})

test('a change by the owner is not mailed if the booking is in the past or the owner has made it', async () => {
  const { id, visitor } = await visits.bookWithLinks()
  clock.set('2026-11-24T11:00:00Z')
  await visits.bookings.edit(id, { status: 'cancelled' })
  expect(await readSubjects(visitor.email)).toHaveLength(1)
  const own = await visits.bookings.add({
    title: 'Own visit',
    attendee_email: 'own@example.org',
    start_time: at('15:00'),
    end_time: at('15:30'),
  })
  await visits.bookings.edit(own.id, { start_time: at('16:00'), end_time: at('16:30') })
  expect(await readSubjects('own@example.org')).toEqual([])
})

test('a change by the owner is mailed a minute after the last of several changes, so that each of them can be undone', async () => {
  const { id, visitor } = await visits.bookWithLinks()
  await visits.bookings.edit(id, { start_time: at('14:00'), end_time: at('14:30') })
  const second = await visits.bookings.patch(id, { start_time: at('15:00'), end_time: at('15:30') })
  const ofAda = `from jobs.jobs where owner = $1 and type = 'booking notice'`
  await app.tableOwner.query(`update jobs.jobs set run_at = '-infinity' where id in (select id ${ofAda})`, [ada.id])
  await app.tableOwner.query(`select pg_notify('jobs', '')`)
  await waitUntil(async () => (await app.tableOwner.query(`select ${ofAda} and run_at > now()`, [ada.id])).rowCount === 1)
  await undo(ada, second)
  expect(await readSubjects(visitor.email)).toEqual(['Confirmed: Engine visit 0', 'Moved: Engine visit 1'])
  expect((await visits.readMails()).at(-1)?.content).toContain('14:00 to 14:30')
})

test('a change of the email by the owner is mailed to the new one with its links, and to the old one as a cancellation', async () => {
  const { id, visitor, cancel } = await visits.bookWithLinks()
  await visits.bookings.edit(id, { attendee_email: 'right@example.org' })
  expect(await readSubjects(visitor.email)).toEqual(['Confirmed: Engine visit 0', 'Cancelled: Engine visit 1'])
  expect(await readSubjects('right@example.org')).toEqual(['Confirmed: Engine visit 2'])
  const links = /To cancel it: http:\/\/foyer\.test(\S+)/.exec((await visits.readMails()).at(-1)?.content ?? '')
  expect([links?.[1]?.startsWith('/booking/cancel/'), links?.[1] === cancel]).toEqual([true, false])
  await visits.bookings.edit(id, { attendee_email: 'RIGHT@example.org' })
  await visits.bookings.remove(id)
  expect(await readSubjects('right@example.org')).toEqual(['Confirmed: Engine visit 2', 'Cancelled: Engine visit 3'])
  expect(await readSubjects(visitor.email)).toHaveLength(2)
})

test('a change by the owner that removes the email is mailed only when another email takes its place or the booking is deleted', async () => {
  const { id, visitor, move } = await visits.bookWithLinks()
  await visits.bookings.edit(id, { attendee_email: '' })
  expect(await readSubjects(visitor.email)).toEqual(['Confirmed: Engine visit 0'])
  await visits.post(move, { start_time: at('12:00'), timezone: 'UTC' }) // only the owner gets a mail about it, with the number 1
  await visits.bookings.edit(id, { attendee_email: 'right@example.org' })
  expect(await readSubjects(visitor.email)).toEqual(['Confirmed: Engine visit 0', 'Cancelled: Engine visit 2'])
  expect(await readSubjects('right@example.org')).toEqual(['Confirmed: Engine visit 3'])
  await visits.bookings.edit(id, { attendee_email: '' })
  await runNoticeJobs()
  await visits.bookings.remove(id)
  expect(await readSubjects('right@example.org')).toEqual(['Confirmed: Engine visit 3', 'Cancelled: Engine visit 4'])
  expect(await readSubjects(visitor.email)).toHaveLength(2)
})

test('a change by the owner that removes the email and enters it again is mailed only if the time has changed between these two edits', async () => {
  const { id, visitor } = await visits.bookWithLinks()
  const removed = await visits.bookings.patch(id, { attendee_email: '' })
  await runNoticeJobs()
  await undo(ada, removed)
  expect(await readSubjects(visitor.email)).toEqual(['Confirmed: Engine visit 0'])
  await visits.bookings.edit(id, { attendee_email: '' })
  await runNoticeJobs()
  await visits.bookings.edit(id, { start_time: at('14:00'), end_time: at('14:30') })
  expect(await readSubjects(visitor.email)).toHaveLength(1)
  await visits.bookings.edit(id, { attendee_email: visitor.email })
  expect(await readSubjects(visitor.email)).toEqual(['Confirmed: Engine visit 0', 'Moved: Engine visit 1'])
})

test('a change by the owner that removes the email and moves the booking is followed by a mail when the new time is cancelled', async () => {
  const { id, visitor } = await visits.bookWithLinks()
  await visits.bookings.edit(id, { attendee_email: '', start_time: at('10:00', 27), end_time: at('10:30', 27) })
  await runNoticeJobs()
  clock.set('2026-11-25T08:00:00Z') // the first time is over
  await visits.bookings.edit(id, { status: 'cancelled' })
  expect(await readSubjects(visitor.email)).toEqual(['Confirmed: Engine visit 0', 'Cancelled: Engine visit 1'])
})

test('a change by the owner that removes the email leaves valid links only to the visitor who got the last mail', async () => {
  const { id, visitor, cancel, move } = await visits.bookWithLinks()
  await visits.bookings.edit(id, { attendee_email: 'right@example.org' })
  await runNoticeJobs()
  const [, right = ''] = /To cancel it: http:\/\/foyer\.test(\S+)/.exec((await visits.readMails()).at(-1)?.content ?? '') ?? []
  await visits.bookings.edit(id, { attendee_email: '' })
  await runNoticeJobs()
  for (const url of [cancel, move]) expect((await visits.get(url)).statusCode).toBe(404)
  expect((await visits.post(cancel)).statusCode).toBe(404)
  expect((await visits.post(right)).json().content).toMatchObject({ state: 'done' })
  expect(await visits.bookings.get(id)).toMatchObject({ status: 'cancelled' })
  expect(await readSubjects(visitor.email)).toEqual(['Confirmed: Engine visit 0', 'Cancelled: Engine visit 1'])
})

test('a change by the owner that removes the email and moves the booking to next year is mailed when the email returns weeks later', async () => {
  const { id, cancel } = await visits.bookWithLinks()
  const right = 'right@example.org'
  await visits.bookings.edit(id, { attendee_email: right })
  const confirmed = await readSubjects(right)
  await visits.bookings.edit(id, { attendee_email: '', start_time: '2027-02-10T10:00:00Z', end_time: '2027-02-10T10:30:00Z' })
  await runNoticeJobs()
  await app.tableOwner.query(`update sessions set expires_at = 'infinity' where user_id = $1`, [ada.id])
  clock.set('2027-01-05T08:00:00Z')
  await app.runSchedule('old booking notices', clock.now())
  expect((await visits.get(cancel)).statusCode).toBe(404) // the link of the visitor whose email was replaced
  await visits.bookings.edit(id, { attendee_email: right })
  expect(await readSubjects(right)).toEqual([...confirmed, 'Moved: Engine visit 3'])
})

test('a change by the owner that removes the email leaves the page that confirms the booking as it was', async () => {
  const { response, visitor } = await visits.book()
  const { id, address } = response.json<{ id: string; address: string }>()
  const { content } = (await visits.get(address)).json()
  expect(content.booked).toMatchObject({ email: visitor.email })
  await visits.bookings.edit(id, { attendee_email: '' })
  await runNoticeJobs()
  expect((await visits.get(address)).json().content.booked).toEqual(content.booked)
})
