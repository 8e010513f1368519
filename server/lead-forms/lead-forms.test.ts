import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fieldTypes } from '#contract/formFields.ts'
import type { FullSubmission } from '#contract/submissions.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { addForm, answerForm, createClock, fieldOf, readSubmissions, visitForm } from '#server/testing/forms.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { readLabel, recordsOf, undo } from '#server/testing/records.ts'
import { readOwnedRows } from '#server/testing/rows.ts'

const clock = createClock()
let app: TestApp
let ada: Person
let contacts: ReturnType<typeof recordsOf>
beforeAll(async () => {
  app = await openTestApp({ now: clock.now })
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  contacts = recordsOf(ada, '/api/contacts')
})

const email = fieldOf({ field_name: 'email', field_label: 'Email', field_type: 'email' })

const readTimelineTables = async (contactId: string): Promise<string[]> => {
  const { rows } = (await ada.send({ url: `/api/changes?record=${contactId}` })).json()
  return rows.map(({ table }: { table: string }) => table)
}
const answer = (form: { id: string }, values: object = {}, otherFields: Record<string, unknown> = {}) =>
  answerForm({ app, person: ada, clock }, form, values, otherFields)
const readFull = async (id: string): Promise<FullSubmission> => (await ada.send({ url: `/api/submissions/${id}` })).json()
const createForm = (payload: object, person = ada) => person.send({ method: 'POST', url: '/api/lead-forms', payload })

test.each([
  ['Über Äpfel & Birnen!', 'uber-apfel-birnen'],
  ['  --Spring  Offer-- ', 'spring-offer'],
  ['x'.repeat(200), 'x'.repeat(60)],
])('the address of a form with the title %j is %s', async (title, slug) => {
  expect((await createForm({ title })).json()).toMatchObject({ slug, success_message: 'Thank you for your submission!', is_active: true })
})

test.each(['見積もり', '🎉'])('the address of a form with the title %j is random', async (title) => {
  expect((await createForm({ title })).json().slug).toMatch(/^[a-z0-9]{10}$/)
})

test('the address of a form is unique among all owners: an address from a title gets a random end if it is taken, and an entered address is refused', async () => {
  const grace = await signInAs(app, 'grace')
  const title = `Fair ${ada.id}`
  const responses = await Promise.all(Array.from({ length: 6 }, (_each, index) => createForm({ title }, index % 2 ? ada : grace)))
  const slugs = responses.map((response) => response.json().slug)
  expect(new Set(slugs).size).toBe(6)
  expect(slugs).toContain(`fair-${ada.id}`)
  const taken = await createForm({ title: 'Other', slug: `FAIR-${ada.id}` }, grace)
  expect(taken.json()).toMatchObject({ code: 'duplicate', fields: { slug: 'This address is taken. Choose another one.' } })
  expect((await createForm({ title: 'Other', slug: `New slug ${ada.id}` })).json().slug).toBe(`new-slug-${ada.id}`)
})

test('the fields of a form are saved as one change, blank names are filled, and undo brings the old fields back', async () => {
  const form = await addForm(ada, [
    { ...email, field_name: '' },
    fieldOf({ field_name: 'size', field_type: 'select', options: ['S', 'M'] }),
  ])
  expect(form.form_fields.map(({ field_name }) => field_name)).toEqual(['field_0', 'size'])
  const edit = await ada.send({
    method: 'PATCH',
    url: `/api/lead-forms/${form.id}`,
    payload: { form_fields: [email], version: form.version },
  })
  expect(edit.json().form_fields).toEqual([email])
  await undo(ada, edit)
  expect((await ada.send({ url: `/api/lead-forms/${form.id}` })).json().form_fields).toEqual(form.form_fields)
  const staleEdit = await ada.send({ method: 'PATCH', url: `/api/lead-forms/${form.id}`, payload: { form_fields: [], version: 1 } })
  expect(staleEdit.json()).toMatchObject({ code: 'conflict' })
})

test.each([
  ['the name of a fixed field', [{ ...email, field_name: 'First_Name' }]],
  ['a name that every JavaScript object has', [{ ...email, field_name: 'constructor' }]],
  ['a name that is no identifier', [{ ...email, field_name: '__proto__' }]],
  ['two fields with one name', [email, { ...email, id: '01930000-0000-7000-8000-0000000000aa', field_name: 'EMAIL' }]],
  ['two fields with one id', [email, { ...email, field_name: 'other' }]],
  ['choices without options', [{ ...email, field_type: 'radio' }]],
  ['an unknown type', [{ ...email, field_type: 'rating' }]],
  ['no label', [{ ...email, field_label: ' ' }]],
  ['51 fields', Array.from({ length: 51 }, (_each, index) => fieldOf({ field_name: `f${index}`, field_type: 'text' }))],
])('fields with %s are refused', async (_name, form_fields) => {
  const { id } = await addForm(ada)
  const response = await ada.send({ method: 'PATCH', url: `/api/lead-forms/${id}`, payload: { form_fields } })
  expect([response.statusCode, response.json().code]).toEqual([422, 'invalid'])
})

test('an answer with a field of each type is stored, adds a contact, and can be undone with it by the owner', async () => {
  const fields = fieldTypes.map((field_type) =>
    fieldOf({ field_type, field_name: `my_${field_type}`, is_required: field_type !== 'heading', options: ['Oak', 'Ash'] }),
  )
  const form = await addForm(ada, fields)
  const values = {
    my_text: '  Table\u202E ',
    my_email: 'Ann@Bücher.example',
    my_tel: '+44 20 7946 0118',
    my_textarea: 'Two\nlines',
    my_number: '12.5',
    my_date: '2027-01-31',
    my_select: 'Oak',
    my_radio: 'Ash',
    my_checkbox: ['Ash', 'Oak'],
    my_consent: true,
    my_hidden: 'spring',
    unknown: 'dropped',
  }
  const files = [{ field_name: 'my_file', file_name: '../../plan.svg', mime_type: 'image/svg+xml', content: btoa('<svg onload=alert(1)>') }]
  const parameters = { utm_source: 'news', other: 'dropped' }
  const response = await answer(form, values, { files, parameters, embedded_in: 'https://shop.example/offer' })
  expect([response.statusCode, response.json()]).toEqual([200, { received: true }])
  const [submission] = await readSubmissions(ada, { form_id: form.id })
  const { unknown: _unknown, ...stored } = values
  const full = await readFull(submission?.id ?? '')
  expect(full).toMatchObject({
    name: 'Ann Lee',
    email: 'Ann@xn--bcher-kva.example',
    contact_name: 'Ann Lee',
    source: { utm_source: 'news', page: 'https://shop.example/offer' },
    version_fields: fields,
    files: [{ field_name: 'my_file', file_name: 'plan.svg', file_size: 21 }],
  })
  const cleaned = { my_text: 'Table', my_email: 'Ann@xn--bcher-kva.example', my_checkbox: ['Oak', 'Ash'] }
  expect(full.submission_data).toEqual({ first_name: 'Ann', last_name: 'Lee', ...stored, ...cleaned })
  const contact = await contacts.get(submission?.contact_id ?? '')
  expect(contact).toMatchObject({ email: 'Ann@xn--bcher-kva.example', phone: '+44 20 7946 0118', lead_source: 'Web' })
  const download = await ada.send({ url: `/api/submission-files/${full.files[0]?.id}/content` })
  expect([download.body, download.headers['content-type'], download.headers['content-disposition']]).toEqual([
    '<svg onload=alert(1)>',
    'application/octet-stream',
    'attachment; filename=plan.svg',
  ])
  expect(await readLabel(ada, response)).toBe('Received form submission')
  await undo(ada, response)
  expect([await readSubmissions(ada), (await contacts.list()).rows]).toEqual([[], []])
})

test('an answer that is sent five times with one key at the same time is stored once', async () => {
  const form = await addForm(ada, [email])
  const visitor = visitForm(app, ada, form)
  const page = await visitor.open()
  clock.pass(10)
  const sent = { ...page, values: { email: 'ann@example.org' }, key: 'the-same' }
  const responses = await Promise.all(Array.from({ length: 5 }, () => visitor.send(sent)))
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200])
  expect(await readSubmissions(ada)).toHaveLength(1)
  // a page can be sent only once, so another key is refused
  expect((await visitor.send({ ...sent, key: 'another' })).json()).toMatchObject({ code: 'visit_refused' })
  expect(await readSubmissions(ada)).toHaveLength(1)
})

test('an answer with missing or wrong values gets a message for each of these fields, and writes nothing', async () => {
  const types = ['email', 'tel', 'number', 'date', 'select', 'checkbox', 'consent', 'file', 'textarea'] as const
  const fields = types.map((field_type) =>
    fieldOf({ field_type, field_name: field_type, field_label: `My ${field_type}`, is_required: true, options: ['A'] }),
  )
  const form = await addForm(ada, fields)
  const before = await readOwnedRows(app, ada.id)
  const missing = await answer(form, { first_name: '\u200B', last_name: '' })
  const nameMessage = 'First name and last name are required'
  expect([missing.statusCode, missing.json().fields]).toEqual([
    422,
    {
      first_name: nameMessage,
      last_name: nameMessage,
      ...Object.fromEntries(types.map((type) => [type, `My ${type} is required`])),
      consent: 'Tick this box to continue',
    },
  ])
  const wrongValues: [string, unknown[]][] = [
    ['email', ['x', 'a@b', ['a@example.org'], {}]],
    ['tel', ['call me', 5]],
    ['number', ['1,000', '0x10', '1e400', 'NaN', {}, true]],
    ['date', ['2027-02-30', '31.01.2027', '0000-01-01']],
    ['select', ['B', ['A'], 'constructor']],
    ['checkbox', ['B', ['A', 'A'], { length: 1 }]],
    ['consent', ['maybe', 1, ['yes']]],
    ['textarea', ['x'.repeat(10_001), ['a']]],
  ]
  for (const [name, values] of wrongValues)
    for (const value of values) {
      const { fields: messages } = (await answer(form, { [name]: value })).json()
      expect(messages[name], `${name} ${JSON.stringify(value)}`).toMatch(new RegExp(`^My ${name} (has|must)`))
    }
  expect(await readOwnedRows(app, ada.id)).toEqual(before)
})

test('an answer with hostile or very many names writes only fields of the form; an answer that cannot be stored or is too large is refused', async () => {
  const form = await addForm(ada)
  const hostile =
    '{"__proto__":{"is_spam":true},"constructor":"x","toString":"y","user_id":"z","contact_id":"z","first_name":"Ann","last_name":"Lee"}'
  const visitor = visitForm(app, ada, form)
  const open = async () => {
    const page = await visitor.open()
    clock.pass(10)
    return page
  }
  const response = await visitor.send({ ...(await open()), values: JSON.parse(hostile) })
  expect(response.statusCode).toBe(200)
  const [submission] = await readSubmissions(ada)
  expect(submission?.submission_data).toEqual({ first_name: 'Ann', last_name: 'Lee' })
  const names = Object.fromEntries(Array.from({ length: 5000 }, (_each, index) => [`n${index}`, index]))
  expect((await visitor.send({ ...(await open()), values: names })).statusCode).toBe(200)
  for (const text of ['a\0b', 'a\uD800'])
    expect((await visitor.send({ ...(await open()), values: { first_name: text } })).statusCode).toBe(422)
  const large = await visitor.send({ ...(await open()), values: { note: 'x'.repeat(10 * 1024 ** 2) } })
  expect([large.statusCode, large.json().code]).toEqual([413, 'too_large'])
  expect(await readSubmissions(ada)).toHaveLength(2)
})

test('an answer does not overwrite what a contact has, and fills what it does not have', async () => {
  const fields = [email, fieldOf({ field_name: 'phone', field_type: 'tel' }), fieldOf({ field_name: 'company', field_type: 'text' })]
  const form = await addForm(ada, fields)
  const { id } = await contacts.add({ first_name: 'Anna', last_name: 'Lee', email: 'ann@example.org', company: 'Lee Ltd' })
  await answer(form, { first_name: 'Mallory', email: ' ANN@example.org', phone: '+44 20 7946 0118', company: 'Evil Inc' })
  expect(await contacts.get(id)).toMatchObject({ first_name: 'Anna', company: 'Lee Ltd', phone: '+44 20 7946 0118' })
  expect((await readSubmissions(ada))[0]).toMatchObject({ contact_id: id, name: 'Mallory Lee' })
  expect(await readTimelineTables(id)).toEqual(['form_submissions', 'crm_contacts', 'crm_contacts'])
})

test('an answer is in the timeline of the contact that it adds, with its form', async () => {
  const form = await addForm(ada, [email])
  await answer(form, { first_name: 'Ann', email: 'ann@example.org' })
  const [submission] = await readSubmissions(ada)
  const contact = String(submission?.contact_id)
  expect(await readTimelineTables(contact)).toEqual(['form_submissions', 'crm_contacts'])
  const [entry] = (await ada.send({ url: `/api/changes?record=${contact}` })).json().rows
  expect(entry).toMatchObject({
    operation: 'created',
    linked: { id: submission?.id, title: 'Ann Lee', exists: true, parent: { kind: 'lead form', id: form.id } },
  })
})

test('an answer adds one contact for two visitors who send the same new email at the same time', async () => {
  const form = await addForm(ada, [email])
  await Promise.all([answer(form, { email: 'new@example.org' }), answer(form, { email: 'New@example.org' })])
  expect((await contacts.list()).rows).toHaveLength(1)
  expect(await readSubmissions(ada)).toHaveLength(2)
})

test('an answer is read with the fields that its visitor saw, also when the form was changed before it was sent', async () => {
  const wood = fieldOf({ field_name: 'wood', field_label: 'Which wood?', field_type: 'text' })
  const form = await addForm(ada, [wood])
  const visitor = visitForm(app, ada, form)
  const page = await visitor.open()
  const budget = fieldOf({ field_name: 'budget', field_label: 'Budget', field_type: 'number', is_required: true })
  await ada.send({ method: 'PATCH', url: `/api/lead-forms/${form.id}`, payload: { form_fields: [budget] } })
  clock.pass(10)
  expect((await visitor.send({ ...page, values: { wood: 'Oak' } })).statusCode).toBe(200)
  await answer(form, { budget: '500' })
  const [newer, older] = await readSubmissions(ada)
  expect(await readFull(older?.id ?? '')).toMatchObject({ submission_data: { wood: 'Oak' }, version_fields: [wood] })
  expect(await readFull(newer?.id ?? '')).toMatchObject({ submission_data: { budget: '500' }, version_fields: [budget] })
  const csv = await ada.send({ method: 'POST', url: `/api/lead-forms/${form.id}/submissions/export`, payload: {} })
  const [header, first, second] = csv.body.replace('\u{FEFF}', '').split('\r\n')
  expect(header).toBe('Received,First Name,Last Name,Budget,Which wood?,Campaign,Page')
  expect([first?.replace(/^[^,]*/, ''), second?.replace(/^[^,]*/, '')]).toEqual([',Ann,Lee,500,,,', ',Ann,Lee,,Oak,,'])
})

test('a direct request without a proof or with a wrong token is refused and writes nothing', async () => {
  const form = await addForm(ada)
  const other = await addForm(ada)
  const before = await readOwnedRows(app, ada.id)
  const { page_token } = await visitForm(app, ada, form).open()
  const otherPage = await visitForm(app, ada, other).open()
  clock.pass(10)
  for (const body of [{ page_token }, otherPage, { page_token: 'x', without_script: true }]) {
    const response = await visitForm(app, ada, form).send(body)
    expect([response.statusCode, response.json().code]).toEqual([409, 'visit_refused'])
  }
  expect(await readOwnedRows(app, ada.id)).toEqual(before)
})

test('a form takes no answers when it is inactive, closed, full or deleted', async () => {
  const form = await addForm(ada, [], { max_submissions: 2 })
  const codes = (await Promise.all([answer(form), answer(form), answer(form), answer(form)])).map((each) => each.json().code)
  expect(codes.filter((code) => code === 'form_closed')).toHaveLength(2)
  const change = (payload: object) => ada.send({ method: 'PATCH', url: `/api/lead-forms/${form.id}`, payload })
  await change({ max_submissions: null, closes_at: clock.now().toISOString() })
  expect((await answer(form)).json()).toMatchObject({ code: 'form_closed', status: 410 })
  const off = await change({ closes_at: null, is_active: false })
  expect(await readLabel(ada, off)).toBe('Deactivated lead form')
  expect((await answer(form)).json()).toMatchObject({ code: 'not_found' })
  await change({ is_active: true })
  expect((await answer(form)).statusCode).toBe(200)
  const deletion = await ada.send({ method: 'DELETE', url: `/api/lead-forms/${form.id}` })
  expect((await answer(form)).json()).toMatchObject({ code: 'not_found' })
  await undo(ada, deletion)
  expect(await readSubmissions(ada, { form_id: form.id })).toHaveLength(3)
})
