// Visitors book on the page of a link.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BookingLink } from '#contract/bookingLinks.ts'
import type { TimesResponse } from '#contract/publicBookings.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { contentPages } from '#server/testing/pages.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf, undo } from '#server/testing/records.ts'
import { addLink, at, createVisitClock, createVisitor, createVisits, everyDay } from '#server/testing/visits.ts'

const clock = createVisitClock()
let app: TestApp
/** A second process of the same installation. */
let secondApp: TestApp
let ada: Person
let link: BookingLink
let visits: ReturnType<typeof createVisits>
beforeAll(async () => {
  app = await openTestApp({ now: clock.now, pages: contentPages })
  secondApp = await openTestApp({ now: clock.now, pages: contentPages, connections: app.connections })
})
afterAll(async () => {
  await secondApp.stop()
  await app.stop()
})
beforeEach(async () => {
  clock.set('2026-11-23T08:00:00Z')
  ada = await signInAs(app, 'ada')
  link = await addLink(ada, { availability: everyDay('09:00', '17:00') })
  visits = createVisits(app, clock, ada, link)
})

const first = '2026-11-23T09:00:00.000Z'
test('the page of a link shows the first day with free times in the owner’s zone, and nothing private', async () => {
  const { status, content, headers } = await createVisitor(app, ada, link).page()
  expect([status, content.link.title, content.choice.date, content.choice.times[0]]).toEqual([
    200,
    'Engine visit',
    '2026-11-23',
    { start_time: first, label: '09:00 to 09:30' },
  ])
  expect(content.choice).toMatchObject({ timezone: 'Europe/London', timezone_label: 'London, GMT', other_day: null })
  expect(JSON.stringify(content)).not.toContain(ada.email)
  expect(String(headers['content-security-policy'])).toContain('frame-ancestors *')
  expect([headers['x-frame-options'], headers['referrer-policy']]).toEqual([undefined, 'same-origin'])
})

test('the page of a link does not offer a booked time, and shows an edit at once, in each process', async () => {
  const processes = [app, secondApp, app]
  const openAll = () => Promise.all(processes.map((each) => createVisitor(each, ada, link).page()))
  const views = [...(await openAll()), ...(await openAll())]
  expect(views.map(({ content }) => content.choice.times[0]?.start_time)).toEqual(views.map(() => first))
  for (const part of ['token', 'nonce', 'challenge'] as const) expect(new Set(views.map(({ parts }) => parts[part])).size).toBe(6)
  await visits.book({ start_time: first })
  expect((await openAll()).map(({ content }) => content.choice.times[0]?.label)).toEqual(processes.map(() => '09:30 to 10:00'))
  await recordsOf(ada, '/api/booking-links').edit(link.id, { title: 'Boiler visit' })
  expect((await openAll()).map(({ content }) => content.link.title)).toEqual(['Boiler visit', 'Boiler visit', 'Boiler visit'])
  clock.pass(2 * 3600) // a time that is over is not offered any more
  expect((await openAll()).map(({ content }) => content.choice.times[0]?.label)).toEqual(processes.map(() => '10:30 to 11:00'))
})

test('the page of a missing or inactive link has status 404', async () => {
  await recordsOf(ada, '/api/booking-links').edit(link.id, { is_active: false })
  for (const slug of [link.slug, 'nothing', 'x'.repeat(150)]) {
    const response = await visits.get(`/book/${slug}`)
    expect([response.statusCode, response.json().content]).toEqual([404, { kind: 'missing' }])
  }
  expect((await visits.book()).response.statusCode).toBe(404)
})

test('the page of a link shows times in the zone of the visitor, and refuses an unknown zone', async () => {
  const visitor = createVisitor(app, ada, link)
  const times: TimesResponse = (await visitor.times({ timezone: 'America/New_York', days: '2' })).json()
  expect(times).toMatchObject({ today: '2026-11-23', timezone_label: 'New York, EST (UTC-5)' })
  expect(times.days[0]).toMatchObject({ date: '2026-11-23', label: 'Monday, 23 November 2026' })
  expect(times.days[0]?.times[0]).toEqual({ start_time: first, label: '04:00 to 04:30' })
  for (const timezone of ['Mars/Base', '__proto__', '../../etc', 'x'.repeat(100)]) {
    expect((await visitor.times({ timezone })).statusCode).toBe(422)
    expect((await visits.book({ timezone })).response.statusCode).toBe(422)
  }
})

test('a booking is stored with a new contact and two mails, and its time is not offered any more', async () => {
  const { response, visitor } = await visits.book({ name: 'Ludwig van Beethoven', phone: '+44 20 7946 0118', notes: 'Third floor' })
  expect(response.statusCode, response.body).toBe(201)
  const booking = await visits.bookings.get(response.json().id)
  expect(booking).toMatchObject({
    title: 'Engine visit',
    start_time: '2026-11-24T10:00:00Z',
    end_time: '2026-11-24T10:30:00Z',
    timezone: 'Europe/London',
    attendee_name: 'Ludwig van Beethoven',
    status: 'confirmed',
    booking_link_id: link.id,
    contact_name: 'Ludwig van Beethoven',
  })
  const contact = await recordsOf(ada, '/api/contacts').get(String(booking['contact_id']))
  expect(contact).toMatchObject({ first_name: 'Ludwig', last_name: 'van Beethoven', email: visitor.email, lead_source: 'Web' })
  const mails = await visits.readMails()
  expect(mails.map(({ to_address: to, subject }) => [to, subject])).toEqual([
    [visitor.email, 'Confirmed: Engine visit'],
    [ada.email, 'New booking: Engine visit'],
  ])
  expect(mails[0]?.content).toContain('Tuesday, 24 November 2026, 10:00 to 10:30 (London, GMT)')
  expect(mails[0]?.content).not.toMatch(/Ludwig|Third floor/) // anybody can enter the address of somebody else
  expect(mails[1]?.content).toMatch(/Name: Ludwig van Beethoven[\s\S]*Notes: Third floor/)
  const times: TimesResponse = (await visitor.times({ from: '2026-11-24', days: '1' })).json()
  expect(times.days[0]?.times.map(({ label }) => label)).not.toContain('10:00 to 10:30')
  const { content } = await visitor.page(String(response.json().address).replace(`/book/${link.slug}`, ''))
  expect(content.booked).toMatchObject({ when: 'Tuesday, 24 November 2026, 10:00 to 10:30', email: visitor.email })
  expect(content.values).toMatchObject({ name: '', email: '' })
})

test('a booking of a known contact does not overwrite the values of the contact', async () => {
  const { id } = await recordsOf(ada, '/api/contacts').add({ first_name: 'M.', last_name: 'S.', email: 'mary@example.org' })
  const { response } = await visits.book({ email: 'MARY@example.org', phone: '+44 20 7946 0118' })
  expect(await visits.bookings.get(response.json().id)).toMatchObject({ contact_id: id })
  expect(await recordsOf(ada, '/api/contacts').get(id)).toMatchObject({ first_name: 'M.', last_name: 'S.', phone: '+44 20 7946 0118' })
})

test('a booking can be undone by its owner, and its contact with it', async () => {
  const { response } = await visits.book()
  await undo(ada, response)
  expect((await visits.bookings.list()).rows).toEqual([])
  expect((await recordsOf(ada, '/api/contacts').list()).rows).toEqual([])
})

test('a booking of a taken time gets the three nearest free ones, and the same page can then book one of them', async () => {
  await visits.book()
  const { response, visitor, page } = await visits.book()
  expect([response.statusCode, response.json().code, response.json().detail]).toEqual([
    409,
    'slot_taken',
    'This time has just been taken. Please choose another.',
  ])
  const labels = response.json().nearest.map(({ label }: { label: string }) => label)
  expect(labels).toEqual(['09:00 to 09:30', '09:30 to 10:00', '10:30 to 11:00'].map((time) => `${time}, Tuesday, 24 November 2026`))
  expect((await visitor.send({ start_time: response.json().nearest[2].start_time, ...page })).statusCode).toBe(201)
})

test.each([
  ['a time between the offered ones', { start_time: at('10:17') }, 422],
  ['a time outside the hours', { start_time: at('07:00') }, 422],
  ['a past time', { start_time: at('09:00', 20) }, 422],
  ['a time in ten years', { start_time: '2036-11-24T10:00:00Z' }, 422],
  ['another duration', { end_time: at('12:00') }, 422],
  ['no name', { name: ' ' }, 422],
  ['an invalid email', { email: 'mary' }, 422],
  ['two emails', { email: 'a@example.org,b@example.org' }, 422],
  ['a filled trap field', { subject_line: 'Pills' }, 409],
  ['a wrong token', { page_token: 'a.b' }, 409],
])('a booking with %s is refused and writes nothing', async (_name, body, status) => {
  const { response } = await visits.book(body)
  expect(response.statusCode, response.body).toBe(status)
  expect([(await visits.bookings.list()).rows, await visits.readMails()]).toEqual([[], []])
})

test('a booking is made once for ten equal requests at the same time and a later one', async () => {
  const visitor = createVisitor(app, ada, link)
  const page = await visitor.open()
  clock.pass(10)
  const send = () => visitor.send({ start_time: at('10:00'), ...page }, 'the-same')
  const responses = [...(await Promise.all(Array.from({ length: 10 }, send))), await send()]
  expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 11 }, () => 201))
  expect(new Set(responses.map(({ body }) => body)).size).toBe(1)
  // another request from the same page corrects its booking and adds none, but cannot choose another time
  const corrected = await visitor.send({ start_time: at('10:00'), ...page, name: 'Mary S.' }, 'another')
  expect([corrected.statusCode, corrected.json().id]).toEqual([201, responses[0]?.json().id])
  expect((await visits.bookings.list()).rows).toHaveLength(1)
  expect((await visitor.send({ start_time: at('11:00'), ...page })).json().code).toBe('visit_refused')
})

test('a booking respects the buffers and the limits of the link', async () => {
  const limited = await addLink(ada, {
    availability: everyDay('09:00', '17:00'),
    buffer_after_minutes: 10,
    max_per_day: 2,
    max_per_visitor: 1,
  })
  expect((await visits.book({}, limited)).response.statusCode).toBe(201)
  expect((await visits.book({ start_time: at('10:30') }, limited)).response.json().code).toBe('slot_taken')
  expect((await visits.book({ start_time: at('12:00'), email: 'mary@example.org' }, limited)).response.statusCode).toBe(201)
  expect((await visits.book({ start_time: at('14:00') }, limited)).response.json().code).toBe('slot_taken')
  const { response } = await visits.book({ start_time: at('14:00', 25), email: 'Mary@example.org' }, limited)
  expect(response.json().fields).toHaveProperty('email')
  // the buffer also covers another link of the owner
  expect((await visits.book({ start_time: at('10:30') })).response.statusCode).toBe(409)
})

test('a booking back to back with another one is possible without buffers', async () => {
  expect((await visits.book()).response.statusCode).toBe(201)
  expect((await visits.book({ start_time: at('10:30') })).response.statusCode).toBe(201)
})

/** With FOYER_FULL=1 the tests send many more requests. */
const isFullTestRun = process.env['FOYER_FULL'] === '1'
const [requestCount, roundCount] = isFullTestRun ? [200, 20] : [40, 2]

test('exactly one of many visitors of two processes books a time, in each round', { timeout: 300_000 }, async () => {
  for (let round = 0; round < roundCount; round++) {
    clock.set('2026-11-23T08:00:00Z')
    const owner = await signInAs(app, 'ada') // a new owner for each round, because the visits of one owner are limited
    const visitsOfRound = createVisits(app, clock, owner, await addLink(owner, { availability: everyDay('09:00', '17:00') }))
    const requests = Array.from({ length: requestCount }, () => ({ body: { start_time: at('09:00') } }))
    const responses = await visitsOfRound.bookAtOnce(requests, [app, secondApp])
    const statuses = responses.map(({ statusCode }) => statusCode)
    expect([statuses.filter((status) => status === 201).length, statuses.filter((status) => status === 409).length]).toEqual([
      1,
      requestCount - 1,
    ])
    expect((await visitsOfRound.bookings.list()).rows).toHaveLength(1)
    expect(await visitsOfRound.readMails()).toHaveLength(2)
    expect((await recordsOf(owner, '/api/contacts').list()).rows).toHaveLength(1)
  }
})

test('bookings of two links with different durations never overlap', { timeout: 300_000 }, async () => {
  const long = await addLink(ada, { availability: everyDay('09:00', '17:00'), duration_minutes: 60 })
  const requests = Array.from({ length: isFullTestRun ? 190 : 60 }, (_each, index) => ({
    link: index % 3 === 0 ? long : link,
    body: { start_time: new Date(Date.parse(at('09:00')) + (index % 16) * 30 * 60_000).toISOString() },
  }))
  const responses = await visits.bookAtOnce(requests, [app, secondApp])
  for (const { statusCode, body } of responses) expect([201, 409, 422], body).toContain(statusCode)
  const { rows } = await app.tableOwner.query(
    `select from bookings a join bookings b on a.user_id = b.user_id and a.id < b.id and a.busy && b.busy
     where a.user_id = $1 and a.status <> 'cancelled' and b.status <> 'cancelled'`,
    [ada.id],
  )
  expect(rows).toEqual([])
})

test('the questions of a link are on its page, and their answers are stored with their labels and sent to the owner', async () => {
  const question = (field_name: string, field_type: string, more: object = {}) => ({
    id: newId(),
    field_name,
    field_label: `The ${field_name}`,
    field_type,
    ...more,
  })
  const fields = [
    question('floor', 'number', { is_required: true }),
    question('rooms', 'checkbox', { options: ['Hall', 'Kitchen'] }),
    question('built', 'date'),
    question('campaign', 'hidden'),
  ]
  await ada.send({ method: 'PATCH', url: '/api/profile', payload: { country: 'DE' } })
  const linkWithQuestions = await addLink(ada, { availability: everyDay('09:00', '17:00'), questions: { fields } })
  const { content } = await createVisitor(app, ada, linkWithQuestions).page('?campaign=fair&floor=9&field.rooms=Hall&field.rooms=Attic')
  expect(content.questions.map(({ field_label: label }) => label)).toEqual(['The floor', 'The rooms', 'The built', 'The campaign'])
  expect(content.answers).toEqual({ floor: [], rooms: ['Hall', 'Attic'], built: [], campaign: ['fair'] })
  for (const values of [{}, { floor: 'third' }, { floor: '3', rooms: ['Attic'] }]) {
    const { response } = await visits.book({ values }, linkWithQuestions)
    expect([response.statusCode, Object.keys(response.json().fields)[0]]).toEqual([422, expect.stringMatching(/^field\.(floor|rooms)$/)])
  }
  const answers = { floor: '3.5', rooms: ['Hall', 'Kitchen'], built: '2020-02-29', status: 'cancelled' }
  const { response } = await visits.book({ values: answers }, linkWithQuestions)
  expect(response.statusCode, response.body).toBe(201)
  await recordsOf(ada, '/api/booking-links').edit(linkWithQuestions.id, { questions: null })
  const values = [
    { label: 'The floor', text: '3.5', type: 'number' },
    { label: 'The rooms', text: 'Hall, Kitchen', type: 'checkbox' },
    { label: 'The built', text: '2020-02-29', type: 'date' },
  ]
  expect(await visits.bookings.get(response.json().id)).toMatchObject({ answers: { values }, answer_count: 3, status: 'confirmed' })
  expect((await visits.readMails()).find(({ to_address: to }) => to === ada.email)?.content).toContain(
    'The floor: 3,5\nThe rooms: Hall, Kitchen\nThe built: Saturday, 29 February 2020\n',
  )
})

test('without script, a form that is sent twice books once, and a refused form shows the errors and the entered values', async () => {
  const visitor = createVisitor(app, ada, link)
  const { content, parts } = await visitor.page('?name=Mary&date=2026-11-24&timezones=all')
  expect([content.values.name, content.choice.date]).toEqual(['Mary', '2026-11-24'])
  expect(content.choice.timezones).toEqual(expect.arrayContaining(['UTC', 'Asia/Kathmandu', 'Europe/Oslo', 'Europe/Kyiv'])) // also aliases
  clock.pass(10)
  const fields = {
    link_id: link.id,
    page_token: parts.token,
    timezone: 'Europe/London',
    start_time: at('10:00'),
    name: 'Mary',
    phone: '',
    notes: '',
  }
  const wrong = await visits.post(`/book/${link.slug}`, { ...fields, email: 'mary' })
  expect([wrong.statusCode, wrong.json().content.problem.fields, wrong.json().content.values.name]).toEqual([
    422,
    { email: 'Enter an email like name@example.com' },
    'Mary',
  ])
  for (let times = 0; times < 2; times++) {
    const sent = await visits.post(`/book/${link.slug}`, { ...fields, email: 'mary@example.org' })
    expect([sent.statusCode, sent.json().content.booked?.when], sent.body).toEqual([200, 'Tuesday, 24 November 2026, 10:00 to 10:30'])
  }
  expect((await visits.bookings.list()).rows).toHaveLength(1)
})
