// What visitors read when the owner has used up a quota.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { addForm, answerForm, fieldOf } from '#server/testing/forms.ts'
import { contentPages } from '#server/testing/pages.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { addLink, at, createVisitClock, createVisits, everyDay } from '#server/testing/visits.ts'
import { waitUntil } from '#server/testing/wait.ts'

const clock = createVisitClock()
const recordQuotaBytes = 10_000_000
let app: TestApp
beforeAll(async () => {
  const fileLimits = { quotaBytes: 10, jsonFileBytes: 1024 ** 2 }
  app = await openTestApp({ now: clock.now, pages: contentPages, recordQuotaBytes, fileLimits })
})
afterAll(() => app.stop())

/** Sets the stored size of an account's records to the quota, and deletes a booking, so that the server reads the new size. */
async function fillAccount(person: Person, booking: string): Promise<void> {
  const readUse = async (): Promise<number> => (await person.send({ url: '/api/storage' })).json().record_bytes
  await expect.poll(readUse, { timeout: 10_000 }).toBeGreaterThan(0)
  await app.tableOwner.query('update record_use set bytes = $2 where user_id = $1', [person.id, recordQuotaBytes])
  expect((await person.send({ method: 'DELETE', url: `/api/bookings/${booking}` })).statusCode).toBe(204)
  await expect.poll(readUse, { timeout: 10_000 }).toBeGreaterThan(recordQuotaBytes)
}

test('a full account takes neither bookings nor changes of them, and its visitors read whom to ask', async () => {
  const ada = await signInAs(app, 'ada')
  const visits = createVisits(app, clock, ada, await addLink(ada, { availability: everyDay('09:00', '17:00') }))
  const { cancel, move } = await visits.bookWithLinks()
  await fillAccount(ada, (await visits.bookWithLinks({ start_time: at('12:00') })).id)
  const { response } = await visits.book({ start_time: at('11:00') })
  const detail = 'This page cannot take bookings at the moment. Please contact ada another way.'
  expect([response.statusCode, response.json()]).toEqual([413, expect.objectContaining({ code: 'record_quota_exceeded', detail })])
  const moved = await visits.post(move, { start_time: at('11:00'), timezone: 'UTC' })
  for (const sent of [moved, await visits.post(cancel)])
    expect([sent.statusCode, sent.json().content.problem.message]).toEqual([
      422,
      'This booking cannot be changed at the moment. Please contact ada another way.',
    ])
  expect((await visits.bookings.list()).rows).toMatchObject([{ status: 'confirmed', start_time: '2026-11-24T10:00:00Z' }])
})

test('the visitor of a booking that is deleted in a full account gets the mail about it', async () => {
  const ada = await signInAs(app, 'ada')
  const visits = createVisits(app, clock, ada, await addLink(ada, { availability: everyDay('09:00', '17:00') }))
  const { id, visitor } = await visits.bookWithLinks({ start_time: at('13:00') })
  await fillAccount(ada, (await visits.bookWithLinks({ start_time: at('12:00') })).id)
  expect((await ada.send({ method: 'DELETE', url: `/api/bookings/${id}` })).statusCode).toBe(204)
  // the mail is sent a minute after the last change of the booking; these statements end the wait
  await app.tableOwner.query('update booking_notices set changed_at = null where user_id = $1', [ada.id])
  await app.tableOwner.query(`update jobs.jobs set run_at = '-infinity' where owner = $1 and type = 'booking notice'`, [ada.id])
  await app.tableOwner.query(`select pg_notify('jobs', '')`)
  await waitUntil(async () =>
    (await visits.readMails()).some(({ to_address: to, subject }) => to === visitor.email && subject.startsWith('Cancelled:')),
  )
})

test('a form of a full account takes no answers, and its visitors do not read how much space the owner has', async () => {
  const ada = await signInAs(app, 'ada')
  const visits = createVisits(app, clock, ada, await addLink(ada, { availability: everyDay('09:00', '17:00') }))
  const form = await addForm(ada, [fieldOf({ field_name: 'plan', field_type: 'file' })])
  const file = {
    field_name: 'plan',
    file_name: 'plan.txt',
    mime_type: 'text/plain',
    content: Buffer.from('More than ten bytes').toString('base64'),
  }
  const detail = 'This form cannot take answers at the moment. Please contact its owner another way.'
  const small = { ...file, content: Buffer.from('Small').toString('base64') }
  const withFile = await answerForm({ app, person: ada, clock }, form, {}, { files: [small, file] })
  expect([withFile.statusCode, withFile.json()]).toEqual([413, expect.objectContaining({ code: 'quota_exceeded', detail })])
  expect(withFile.json().fields).toBeUndefined()
  expect((await ada.send({ url: '/api/storage' })).json().used_bytes).toBe(0) // the first file was deleted again
  await fillAccount(ada, (await visits.bookWithLinks()).id)
  const tiny = { ...file, content: Buffer.from('Tiny').toString('base64') }
  const response = await answerForm({ app, person: ada, clock }, form, {}, { files: [tiny] })
  expect((await ada.send({ url: '/api/storage' })).json().used_bytes).toBe(0)
  expect([response.statusCode, response.json()]).toEqual([413, expect.objectContaining({ code: 'record_quota_exceeded', detail })])
})
