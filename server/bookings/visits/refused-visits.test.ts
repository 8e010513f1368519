// The messages that a visitor gets when a booking is refused.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#server/platform/database/uuid.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { contentPages } from '#server/testing/pages.ts'
import { signInAs } from '#server/testing/people.ts'
import { addLink, at, createVisitClock, createVisitor, createVisits, everyDay } from '#server/testing/visits.ts'

const clock = createVisitClock()
let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ now: clock.now, pages: contentPages })
})
afterAll(() => app.stop())

test('a refused booking gets the messages of all its fields and questions at once, also without script', async () => {
  const floor = { id: newId(), field_name: 'floor', field_label: 'The floor', field_type: 'number', is_required: true }
  const ada = await signInAs(app, 'ada')
  const link = await addLink(ada, { availability: everyDay('09:00', '17:00'), questions: { fields: [floor] } })
  const wrong = { start_time: '', name: ' ', email: 'mary', phone: 'call me', notes: '' }
  const messages = {
    start_time: 'Choose a time on this day.',
    name: 'Enter a name',
    email: 'Enter an email like name@example.com',
    phone: 'Enter a phone number like +44 20 7946 0118',
    'field.floor': 'The floor is required',
  }
  const visits = createVisits(app, clock, ada, link)
  const { response } = await visits.book(wrong)
  expect([response.statusCode, response.json().fields]).toEqual([422, messages])
  const { parts } = await createVisitor(app, ada, link).page()
  clock.pass(10)
  const fields = { ...wrong, link_id: link.id, page_token: parts.token, timezone: 'Europe/London', 'field.floor': 'third' }
  const sent = await visits.post(`/book/${link.slug}`, fields)
  expect([sent.statusCode, sent.json().content.problem.fields]).toEqual([
    422,
    { ...messages, 'field.floor': 'The floor must be a number like 12.5' },
  ])
  expect((await visits.bookings.list()).rows).toEqual([])
})

test('a visitor beyond the limits reads how long to wait, also without script', async () => {
  const ada = await signInAs(app, 'ada')
  const link = await addLink(ada, { availability: everyDay('09:00', '17:00') })
  const visits = createVisits(app, clock, ada, link)
  const { parts } = await createVisitor(app, ada, link).page()
  clock.pass(10)
  const fields = { link_id: link.id, page_token: parts.token, timezone: 'Europe/London', name: 'Mary', email: 'mary@example.org' }
  const send = () => visits.post(`/book/${link.slug}`, { ...fields, start_time: at('07:00'), phone: '', notes: '' })
  // 3 requests without a proof, and then 10 suspicious ones with this email
  for (let count = 0; count < 13; count++) expect((await send()).json().content.problem.message).not.toContain('Too many')
  clock.pass(100) // seconds; the limits are for 15 minutes
  expect((await send()).json().content.problem).toEqual({
    message: 'Too many forms were sent from your network or to this page. Try again in 14 minutes.',
    fields: {},
    nearest: [],
  })
})
