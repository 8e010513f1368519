// Records may have stored values that the forms would refuse, from an import or from a version of Foyer with other rules.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf } from '#server/testing/records.ts'

let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
})

const longPhone = '1'.repeat(60)
const tags = Array.from({ length: 30 }, (_, index) => `tag ${index}`)
/** The plural and the table of a kind, the stored values, and an edit of another field. */
const cases = [
  ['contacts', 'crm_contacts', { first_name: '', phone: longPhone, email: 'none', lead_source: 'Fair', tags }, { title: 'Countess' }],
  ['companies', 'companies', { name: '', phone: longPhone, website: 'none', employees_count: -1, tags }, { industry: 'Engines' }],
  ['deals', 'deals', { title: ' \n', value: -2.5, probability: 120, expected_close_date: '0026-11-25', tags }, { stage: 'proposal' }],
  ['tasks', 'tasks', { title: '', description: ' x ', due_date: '0026-11-25' }, { priority: 'high' }],
  [
    'bookings',
    'bookings',
    {
      title: '',
      attendee_email: 'none',
      attendee_phone: 'none',
      timezone: 'Mars/Base',
      start_time: '1999-01-01T00:00:00Z',
      end_time: '1999-01-01T00:01:00Z',
    },
    { status: 'completed' },
  ],
  ['booking-links', 'booking_links', { title: '', slug: 'A b', color: 'red', duration_minutes: 1, window_days: -1 }, { is_active: false }],
] as const

test.each(cases)(
  '%s with values that the forms would refuse can be opened, listed and exported, and their other fields can be edited',
  async (plural, table, values, patch) => {
    const names = Object.keys(values)
    const { rows } = await app.tableOwner.query<{ id: string }>(
      `insert into ${table} (user_id, ${names.join(', ')}) values ($1, ${names.map((_, index) => `$${index + 2}`).join(', ')}) returning id`,
      [ada.id, ...Object.values(values)],
    )
    const id = rows[0]?.id ?? ''
    const records = recordsOf(ada, `/api/${plural}`)
    expect(await records.get(id)).toMatchObject(values)
    expect((await records.list()).rows).toMatchObject([{ id }])
    const exportResponse = await records.post('/export', { ids: [id] })
    expect([exportResponse.statusCode, exportResponse.body.split('\r\n').length]).toEqual([200, 3]) // header, record and empty end
    expect(await records.edit(id, patch)).toMatchObject({ ...values, ...patch })
  },
)
