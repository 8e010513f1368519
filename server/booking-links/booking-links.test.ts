import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { toSlug } from '#contract/slugs.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { readLabel, recordsOf, undo } from '#server/testing/records.ts'

let app: TestApp
let ada: Person
let links: ReturnType<typeof recordsOf>
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  await app.tableOwner.query('delete from booking_links') // slugs are unique in the whole installation
  ada = await signInAs(app, 'ada')
  links = recordsOf(ada, '/api/booking-links')
})

test('a new booking link has 30 minutes, the default colour, the default hours and a slug from its title, and is active', async () => {
  const { id } = await links.add({ title: ' Look at the  engine ' })
  expect(await links.get(id)).toMatchObject({
    title: 'Look at the  engine',
    slug: 'look-at-the-engine',
    duration_minutes: 30,
    color: '#3B82F6',
    is_active: true,
    availability: null,
    booking_count: 0,
  })
})

test.each([
  ['Über Äpfel & Straße', 'uber-apfel-strasse'],
  ['--Héllo, Wörld!--', 'hello-world'],
  ['ﬁne Ａ１', 'fine-a1'],
  ['東京', ''],
  ['🎉', ''],
  ['x'.repeat(300), 'x'.repeat(60)],
])('the slug of %s is %s', (title, slug) => {
  expect(toSlug(title)).toBe(slug)
})

test('a title without Latin letters gets a slug of random letters', async () => {
  const { slug } = await links.add({ title: '東京' })
  expect(slug).toMatch(/^[a-z2-9]{10}$/)
})

test('an entered slug is converted like a title; an empty one is made from the title; one without letters is refused', async () => {
  expect(await links.add({ title: 'Engine', slug: 'My Slug' })).toMatchObject({ slug: 'my-slug' })
  const { id } = await links.add({ title: 'Other', slug: '' })
  expect(await links.get(id)).toMatchObject({ slug: 'other' })
  const response = await links.patch(id, { slug: '!!' })
  expect([response.statusCode, response.json().fields]).toEqual([422, { slug: 'Enter an address of letters from a to z and digits' }])
})

test('an entered slug is refused if a link of any owner has it', async () => {
  await links.add({ title: 'Engine', slug: 'engine' })
  const grace = recordsOf(await signInAs(app, 'grace'), '/api/booking-links')
  const response = await grace.post('', { title: 'Mine', slug: 'engine' })
  expect([response.statusCode, response.json().fields]).toEqual([422, { slug: 'This address is taken. Choose another one.' }])
})

test('ten links with one title at the same time all get their own slug', async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => signInAs(app, 'grace')))
  const added = await Promise.all(
    people.flatMap((person) => [1, 2].map(() => recordsOf(person, '/api/booking-links').add({ title: 'Consultation' }))),
  )
  const slugs = added.map(({ slug }) => String(slug))
  expect(new Set(slugs).size).toBe(10)
  expect(slugs).toContain('consultation')
  // if `consultation` is taken, `consultation-2` is tried, and then random letters
  expect(slugs.every((slug) => /^consultation(-2|-[a-z2-9]{5})?$/.test(slug))).toBe(true)
})

test.each([
  [{ duration_minutes: 0 }, 'duration_minutes'],
  [{ duration_minutes: 20 }, 'duration_minutes'],
  [{ duration_minutes: 1500 }, 'duration_minutes'],
  [{ color: 'red' }, 'color'],
  [{ window_days: 0 }, 'window_days'],
  [{ max_per_day: 0 }, 'max_per_day'],
  [{ availability: { weekly: [{ weekday: 7, from: '09:00', to: '10:00' }], days_off: [], dates: [] } }, 'availability.weekly.0.weekday'],
  [{ availability: { weekly: [{ weekday: 1, from: '10:00', to: '09:00' }], days_off: [], dates: [] } }, 'availability.weekly.0.to'],
  [{ availability: { weekly: [{ weekday: 1, from: '9', to: '25:00' }], days_off: [], dates: [] } }, 'availability.weekly.0.from'],
  [
    {
      availability: {
        weekly: [
          { weekday: 1, from: '09:00', to: '17:00' },
          { weekday: 2, from: '09:00', to: '12:00' },
          { weekday: 1, from: '12:00', to: '13:00' },
        ],
        days_off: [],
        dates: [],
      },
    },
    'availability.weekly.2.from',
  ],
  [
    {
      availability: {
        weekly: [],
        days_off: [],
        dates: [
          {
            date: '2026-12-05',
            hours: [
              { from: '13:00', to: '24:00' },
              { from: '09:00', to: '13:30' },
            ],
          },
        ],
      },
    },
    'availability.dates.0.hours.1.from',
  ],
  [{ availability: { weekly: [], days_off: [{ from: '2026-12-02', to: '2026-12-01' }], dates: [] } }, 'availability.days_off.0.to'],
])('%j is refused with a message for %s', async (fields, field) => {
  const response = await links.post('', { title: 'Engine', ...fields })
  expect(response.statusCode).toBe(422)
  expect(Object.keys(response.json().fields)).toContain(field)
})

test('hours are stored and changed as they are sent, and null returns to the default hours', async () => {
  const availability = {
    weekly: [{ weekday: 1, from: '09:00', to: '12:00' }],
    days_off: [{ from: '2026-12-24', to: '2027-01-02' }],
    dates: [{ date: '2026-12-05', hours: [] }],
  }
  const { id } = await links.add({ title: 'Engine', availability })
  expect((await links.get(id))['availability']).toEqual(availability)
  const other = { ...availability, weekly: [] }
  expect(await links.edit(id, { availability: other })).toMatchObject({ availability: other })
  expect(await links.edit(id, { availability: null })).toMatchObject({ availability: null })
})

test('hours may end when the next ones start; stored hours that overlap stay readable, and other fields can be changed', async () => {
  const dayHours = (...times: [from: string, to: string][]) => ({
    weekly: times.map(([from, to]) => ({ weekday: 1, from, to })),
    days_off: [],
    dates: [],
  })
  const { id } = await links.add({ title: 'Engine', availability: dayHours(['12:00', '13:00'], ['09:00', '12:00']) })
  const overlapping = dayHours(['09:00', '17:00'], ['12:00', '13:00'])
  await app.tableOwner.query('update booking_links set availability = $2 where id = $1', [id, JSON.stringify(overlapping)])
  expect((await links.get(id))['availability']).toEqual(overlapping)
  expect(await links.edit(id, { title: 'Boiler' })).toMatchObject({ title: 'Boiler', availability: overlapping })
})

test('switching a link off and on has its own labels in the history', async () => {
  const { id } = await links.add({ title: 'Engine' })
  const off = await links.patch(id, { is_active: false })
  expect([off.json().is_active, await readLabel(ada, off)]).toEqual([false, 'Deactivated booking link'])
  expect(await readLabel(ada, await links.patch(id, { is_active: true }))).toBe('Activated booking link')
})

test('a deleted link comes back with its slug, unless another link has taken it', async () => {
  const { id } = await links.add({ title: 'Engine' })
  const deletion = await links.remove(id)
  await undo(ada, deletion)
  expect(await links.get(id)).toMatchObject({ slug: 'engine' })
  const secondDeletion = await links.remove(id)
  await links.add({ title: 'Engine' })
  const response = await ada.send({ method: 'POST', url: `/api/changes/${String(secondDeletion.headers['foyer-change'])}/undo` })
  expect([response.statusCode, response.json().code]).toEqual([409, 'undo_blocked'])
})

test.each(['/api/booking-links', '/api/lead-forms'])(
  'one owner cannot reuse the id of a record of another owner, because visitors send only the id: %s',
  async (path) => {
    const { id } = await recordsOf(ada, path).add({ title: 'Engine' })
    const grace = await signInAs(app, 'grace')
    const response = await grace.send({ method: 'POST', url: path, payload: { id, title: 'Other' } })
    expect([response.statusCode, response.json()]).toMatchObject([422, { fields: { id: 'This id is taken' } }])
  },
)
