// The names that questions of booking links get, how visitors answer them, and which questions are refused.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BookingLink } from '#contract/bookingLinks.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { contentPages } from '#server/testing/pages.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf } from '#server/testing/records.ts'
import { addLink, createVisitClock, createVisitor, createVisits, everyDay } from '#server/testing/visits.ts'

const clock = createVisitClock()
let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await openTestApp({ now: clock.now, pages: contentPages })
})
afterAll(() => app.stop())
beforeEach(async () => {
  clock.set('2026-11-23T08:00:00Z')
  ada = await signInAs(app, 'ada')
})

const question = (field_label: string, more: object = {}) => ({ id: newId(), field_name: '', field_label, field_type: 'text', ...more })
const addQuestions = (...fields: object[]) => addLink(ada, { availability: everyDay('09:00', '17:00'), questions: { fields } })
const namesOf = ({ questions }: Pick<BookingLink, 'questions'>) => questions?.fields.map(({ field_name }) => field_name)

test('questions without a name get names of their own, so that visitors can answer each of them', async () => {
  const link = await addQuestions(question('Company'), question('Budget', { field_type: 'number', is_required: true }))
  expect(namesOf(link)).toEqual(['field_0', 'field_1'])
  const { content } = await createVisitor(app, ada, link).page()
  expect(content.questions.map(({ field_name }) => field_name)).toEqual(['field_0', 'field_1'])
  const visits = createVisits(app, clock, ada, link)
  const { response } = await visits.book({ values: { field_0: 'Analytical Engines', field_1: '1200' } })
  expect(response.statusCode, response.body).toBe(201)
  expect((await visits.bookings.get(response.json().id))['answers']).toEqual({
    values: [
      { label: 'Company', text: 'Analytical Engines', type: 'text' },
      { label: 'Budget', text: '1200', type: 'number' },
    ],
  })
})

test('visitors can answer stored questions that have no names', async () => {
  const link = await addQuestions(question('Company'), question('Budget', { is_required: true }))
  const unnamed = { fields: link.questions?.fields.map((field) => ({ ...field, field_name: '' })) }
  await app.tableOwner.query('update booking_links set questions = $2 where id = $1', [link.id, JSON.stringify(unnamed)])
  const { content } = await createVisitor(app, ada, link).page()
  expect(content.questions.map(({ field_name }) => field_name)).toEqual(['field_0', 'field_1'])
  const visits = createVisits(app, clock, ada, link)
  const { response } = await visits.book({ values: { field_0: 'Analytical Engines', field_1: '1200' } })
  expect(response.statusCode, response.body).toBe(201)
})

test('a question that is added without a name gets a name that no other question has, and the others keep theirs', async () => {
  const link = await addQuestions(question('Company'), question('Budget'))
  const [, budget] = link.questions?.fields ?? []
  const fields = [question('Floor', { field_name: 'Field_0' }), budget, question('Rooms'), question('Lift', { field_name: 'field_2' })]
  const edited = await recordsOf(ada, '/api/booking-links').patch(link.id, { questions: { fields } })
  expect(namesOf(edited.json())).toEqual(['Field_0', 'field_1', 'field_3', 'field_2'])
  const moved = [question('Visit'), ...(link.questions?.fields ?? [])]
  const second = await recordsOf(ada, '/api/booking-links').patch(link.id, { questions: { fields: moved } })
  expect(namesOf(second.json())).toEqual(['field_4', 'field_0', 'field_1']) // pages that are open still have the removed field_3
})

test.each([
  ['a repeated option', [question('Rooms'), question('Floor', { field_type: 'radio', options: ['One', 'Two', 'One'] })], 1, 'options'],
  ['no option', [question('Floor', { field_type: 'select' })], 0, 'options'],
  ['a name twice', [question('Rooms', { field_name: 'rooms' }), question('Others', { field_name: 'ROOMS' })], 1, 'field_name'],
])('%s is refused at its question', async (_what, fields, index, property) => {
  const response = await recordsOf(ada, '/api/booking-links').post('', { title: 'Engine', questions: { fields } })
  expect(response.statusCode).toBe(422)
  expect(Object.keys(response.json().fields)).toContain(`questions.fields.${index}.${property}`)
})
