import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { FormField } from '#contract/formFields.ts'
import type { LeadForm } from '#contract/leadForms.ts'
import type { FullSubmission } from '#contract/submissions.ts'
import { trapFieldName } from '#contract/visitorForms.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { cleanLater, later } from '#server/testing/cleaning.ts'
import { addForm, answerForm, createClock, fieldOf, readSubmissions, visitForm } from '#server/testing/forms.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf, undo } from '#server/testing/records.ts'
import { readOwnedRows } from '#server/testing/rows.ts'
import { unzip } from '#server/testing/zip.ts'

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

/** Answers a form as a visitor, by default with the name Ann Lee. `otherFields` are fields of the body beside the answers. */
const answer = (form: { id: string }, values: object = {}, otherFields: Record<string, unknown> = {}) =>
  answerForm({ app, person: ada, clock }, form, values, otherFields)
const readFull = async (id: string): Promise<FullSubmission> => (await ada.send({ url: `/api/submissions/${id}` })).json()

test('formulas in answers and labels are inert in the export', async () => {
  const formula = '=HYPERLINK("https://evil.example")'
  const form = await addForm(ada, [fieldOf({ field_name: 'note', field_label: '@SUM(A1)', field_type: 'textarea' })])
  await answer(form, { note: formula, first_name: '<script>alert(1)</script>' })
  await answer(form, { note: '\t=1+1' })
  const { body } = await ada.send({ method: 'POST', url: `/api/lead-forms/${form.id}/submissions/export`, payload: {} })
  expect(body).toContain(`"'=HYPERLINK(""https://evil.example"")"`)
  expect(body).toContain(`,'@SUM(A1),`)
  expect(body).not.toMatch(/[,\n"]\s*[=@]/)
})

test('the export names the files of each submission', async () => {
  const form = await addForm(ada, [fieldOf({ field_name: 'plan', field_label: 'Drawings', field_type: 'file' })])
  const files = ['roof.txt', 'wall.txt'].map((name) => ({
    field_name: 'plan',
    file_name: name,
    mime_type: 'text/plain',
    content: btoa(name),
  }))
  await answer(form, { first_name: 'Ben' })
  await answer(form, {}, { files })
  const { body } = await ada.send({ method: 'POST', url: `/api/lead-forms/${form.id}/submissions/export`, payload: {} })
  const [head, newest, oldest] = body.split('\r\n')
  expect(head).toContain(',Last Name,Drawings,Campaign')
  expect([newest, oldest]).toEqual([expect.stringContaining(',Ann,Lee,"roof.txt; wall.txt",'), expect.stringContaining(',Ben,Lee,,')])
})

test('the export shows each answer under its own question: a new field gets no automatic name of a removed one, and may get a chosen name', async () => {
  const named = (name: string, label: string) => fieldOf({ field_name: name, field_label: label, field_type: 'text' })
  const form = await addForm(ada, [named('', 'Colour'), named('', 'Note'), named('size', 'Size')])
  const [colour, note] = form.form_fields
  await answer(form, { field_0: 'red', field_1: 'call me', size: 'M' })
  const save = async (fields: unknown[]): Promise<LeadForm> =>
    (await ada.send({ method: 'PATCH', url: `/api/lead-forms/${form.id}`, payload: { form_fields: fields } })).json()
  expect((await save([colour])).next_field_number).toBe(2)
  const changed = await save([{ ...colour, field_name: '' }, named('', 'Model'), named('size', 'Shoe size')])
  expect(changed.form_fields.map(({ field_name }) => field_name)).toEqual(['field_0', 'field_2', 'size'])
  await answer(form, { field_0: 'blue', field_2: 'X1', field_1: 'dropped', size: '42' })
  const { body } = await ada.send({ method: 'POST', url: `/api/lead-forms/${form.id}/submissions/export`, payload: {} })
  const [head, newer, older] = body.split('\r\n')
  expect(head).toContain(`,Colour,Model,Shoe size,${note?.field_label},Size,Campaign`)
  expect([newer, older]).toEqual([expect.stringContaining(',blue,X1,42,,,'), expect.stringContaining(',red,,,call me,M,')])
})

test.each([
  ['trap', { [trapFieldName]: 'Cheap pills' }, 10],
  ['too_fast', {}, 1],
])(
  'the spam folder keeps an answer that is suspected as %s, without a contact, and the visitor does not learn of it',
  async (reason, otherFields, seconds) => {
    const form = await addForm(ada, [email])
    const visitor = visitForm(app, ada, form)
    const page = await visitor.open()
    clock.pass(seconds)
    const response = await visitor.send({ ...page, ...otherFields, values: { email: 'ann@example.org' } })
    expect([response.statusCode, response.json()]).toEqual([200, { received: true }])
    expect([await readSubmissions(ada), (await contacts.list()).rows]).toEqual([[], []])
    const [spam] = await readSubmissions(ada, { spam: 'true' })
    expect(spam).toMatchObject({ spam_reason: reason, contact_id: null })
    expect((await ada.send({ url: '/api/lead-forms' })).json().rows[0]).toMatchObject({ submission_count: 0, spam_count: 1 })
    const moved = await ada.send({ method: 'POST', url: `/api/submissions/${spam?.id}/spam`, payload: { is_spam: false } })
    expect(moved.json()).toMatchObject({ is_spam: false, spam_reason: '', contact_name: 'Ann Lee' })
    expect((await contacts.list()).rows).toMatchObject([{ email: 'ann@example.org' }])
    await undo(ada, moved)
    expect([await readSubmissions(ada), (await contacts.list()).rows]).toEqual([[], []])
  },
)

test('the spam folder takes answers that read like advertising, with the reason, but not answers with one link or one known word', async () => {
  const form = await addForm(ada, [email, fieldOf({ field_name: 'message', field_label: 'Message', field_type: 'textarea' })])
  const messages = [
    ['many_links', 'Look at https://a.example and https://b.example and http://c.example, www.d.example'],
    ['many_links', '<a href="https://a.example">Cheap</a>'],
    ['known_words', 'We sell backlinks and SEO services'],
    ['mixed_scripts', '\u0420ayp\u0430l and \u0410m\u0430zon'],
  ]
  for (const [, message] of messages) await answer(form, { message })
  expect((await readSubmissions(ada, { spam: 'true' })).map((row) => row.spam_reason).toReversed()).toEqual(
    messages.map(([reason]) => reason),
  )
  const harmless = [
    'Our website is https://quillstone.example, the plan is at https://plans.example/1. Can you build the casino of our hotel?',
    '\u041f\u0440\u043e\u0448\u0443 \u043f\u0435\u0440\u0435\u0437\u0432\u043e\u043d\u0438\u0442\u044c. Please call me back',
  ]
  for (const message of harmless) await answer(form, { message, email: 'ann@example.org' })
  expect((await readSubmissions(ada)).map(({ submission_data }) => submission_data['message']).toReversed()).toEqual(harmless)
  expect((await contacts.list()).rows).toHaveLength(1)
})

test('several answers leave the spam folder as one change, which can be undone', async () => {
  const form = await addForm(ada, [email])
  for (const name of ['ann', 'bob']) await answer(form, { email: `${name}@example.org` }, { [trapFieldName]: 'Pills' })
  const ids = (await readSubmissions(ada, { spam: 'true' })).map(({ id }) => id)
  const post = (payload: object) => ada.send({ method: 'POST', url: '/api/submissions/bulk/spam', payload })
  const unknownId = form.id
  expect((await post({ ids: [...ids, unknownId], is_spam: false })).statusCode).toBe(404)
  expect(await readSubmissions(ada)).toEqual([])
  const moved = await post({ ids, is_spam: false })
  expect((await readSubmissions(ada)).map(({ contact_name }) => contact_name)).toEqual(['Ann Lee', 'Ann Lee'])
  expect((await contacts.list()).rows).toHaveLength(2)
  await undo(ada, moved)
  expect([await readSubmissions(ada), (await contacts.list()).rows]).toEqual([[], []])
})

test('the spam folder takes an answer that the owner marks as spam, and its contact stays', async () => {
  const form = await addForm(ada, [email])
  await answer(form, { email: 'ann@example.org' })
  const [{ id } = { id: '' }] = await readSubmissions(ada)
  const moved = await ada.send({ method: 'POST', url: `/api/submissions/${id}/spam`, payload: { is_spam: true } })
  expect(moved.json()).toMatchObject({ is_spam: true, spam_reason: 'by_hand', contact_id: null })
  expect((await contacts.list()).rows).toHaveLength(1)
})

const planField: FormField = fieldOf({ field_name: 'plan', field_label: 'Plan', field_type: 'file' })
/** Returns a file of this size, as a visitor sends it. */
const createFile = (name: string, bytes: number) => ({
  field_name: 'plan',
  file_name: name,
  content: Buffer.alloc(bytes, 1).toString('base64'),
})

test('files that are empty or too many are refused with a sentence, and files for unknown fields are dropped', async () => {
  const form = await addForm(ada, [planField])
  const send = (files: object[]) => answer(form, {}, { files })
  expect((await send([createFile('a.txt', 0)])).json().fields).toEqual({ plan: 'The file a.txt is empty' })
  expect((await send(Array.from({ length: 6 }, () => createFile('a.txt', 1)))).json().fields).toEqual({
    plan: 'Plan takes at most 5 files',
  })
  expect((await send(Array.from({ length: 1000 }, () => createFile('a.txt', 1)))).statusCode).toBe(422)
  expect((await send([{ ...createFile('a.txt', 1), field_name: 'other' }])).statusCode).toBe(200)
  expect((await readFull((await readSubmissions(ada))[0]?.id ?? '')).files).toEqual([])
})

test('the files of deleted answers and the versions of deleted forms are deleted after thirty days, when no undo needs them', async () => {
  const schedule = 'versions of forms and files of submissions'
  const form = await addForm(ada, [planField])
  await answer(form, {}, { files: [createFile('C:\\plans\\oak.exe', 3)] })
  const [{ id } = { id: '' }] = await readSubmissions(ada)
  const [stored] = (await readFull(id)).files
  expect(stored?.file_name).toBe('oak.exe')
  const deletion = await ada.send({ method: 'DELETE', url: `/api/submissions/${id}` })
  expect((await ada.send({ url: `/api/submission-files/${stored?.id}/content` })).statusCode).toBe(404)
  await cleanLater(app, schedule, 29)
  await undo(ada, deletion)
  expect((await ada.send({ url: `/api/submission-files/${stored?.id}/content` })).statusCode).toBe(200)

  const formDeletion = await ada.send({ method: 'DELETE', url: `/api/lead-forms/${form.id}` }) // its answers are deleted with it
  await cleanLater(app, schedule, 29)
  await undo(ada, formDeletion)
  expect(await readFull(id)).toMatchObject({ files: [{ id: stored?.id }], version_fields: [planField] })

  await ada.send({ method: 'DELETE', url: `/api/lead-forms/${form.id}` })
  await cleanLater(app, schedule, 31)
  await app.runSchedule('unneeded stored objects', later(31))
  const rows = await readOwnedRows(app, ada.id)
  expect([rows['form_versions'], rows['form_submission_files'], rows['stored_objects']]).toEqual([[], [], []])
})

test('the download of everything has the files of answers, in folders of their form and visitor, and none from the trash', async () => {
  const form = await addForm(ada, [planField], { title: 'Plans: new' })
  await answer(form, {}, { files: [createFile('oak.txt', 3), createFile('CON', 4)] })
  await answer(form, {}, { files: [createFile('oak.txt', 5)] })
  await answer(form, { first_name: 'Ben' }, { files: [createFile('deleted.txt', 6)] })
  const [deleted] = await readSubmissions(ada)
  await ada.send({ method: 'DELETE', url: `/api/submissions/${deleted?.id}` })
  const { url } = (await ada.send({ method: 'POST', url: '/api/takeout', payload: { password: 'engine no. 1' } })).json()
  const zip = await unzip((await ada.send({ url })).rawPayload)
  const files = [...zip].filter(([path, bytes]) => path.includes('/') && bytes !== null)
  expect(Object.fromEntries(files.map(([path, bytes]) => [path, bytes?.byteLength]))).toEqual({
    'files of forms/Plans_ new/Ann Lee/oak.txt': 3,
    'files of forms/Plans_ new/Ann Lee/_CON': 4,
    'files of forms/Plans_ new/Ann Lee (2)/oak.txt': 5,
  })
  expect(String(zip.get('form_submission_files.csv'))).toContain(',files of forms/Plans_ new/Ann Lee (2)/oak.txt')
  expect((await ada.send({ url: '/api/takeout' })).json()).toEqual({ file_count: 3, file_bytes: 12 })
})

test('the cleaning of stored objects keeps the files of an answer that is being stored', async () => {
  const form = await addForm(ada, [planField])
  using stack = new DisposableStack()
  const lock = stack.adopt(await app.tableOwner.connect(), (client) => client.release(true))
  await lock.query('begin')
  await lock.query('select from lead_forms where id = $1 for update', [form.id]) // so that the answer waits after its file is stored
  const sent = answer(form, {}, { files: [createFile('oak.txt', 3)] })
  await expect.poll(async () => (await readOwnedRows(app, ada.id))['stored_objects']).toHaveLength(1)
  await app.runSchedule('unneeded stored objects')
  await lock.query('commit')
  expect((await sent).statusCode).toBe(200)
  const [{ id } = { id: '' }] = await readSubmissions(ada)
  expect((await readFull(id)).files).toMatchObject([{ file_name: 'oak.txt' }])
})

test('files of an answer that is refused, because another answer has used the token of the page, are deleted at once', async () => {
  const form = await addForm(ada, [planField])
  const visitor = visitForm(app, ada, form)
  const page = await visitor.open()
  clock.pass(10)
  const responses = await Promise.all([1, 2, 3].map(() => visitor.send({ ...page, files: [createFile('a.txt', 10)] })))
  expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  expect((await readOwnedRows(app, ada.id))['stored_objects']).toHaveLength(1)
})

test('files that one visitor never finishes sending do not block the files of another visitor', async () => {
  const form = await addForm(ada, [planField])
  const address = await app.server.listen({ port: 0, host: '127.0.0.1' })
  const headers = { 'idempotency-key': 'slow', 'content-type': 'application/json', 'content-length': String(1_200_000) }
  const slow = [1, 2, 3].map(() => request(`${address}/api/public/forms/${form.id}/submissions`, { method: 'POST', headers }))
  const refused = Promise.race(slow.map((sending) => once(sending, 'response')))
  for (const sending of slow) {
    sending.on('error', () => {}) // the request is destroyed at the end of the test
    sending.write('{')
  }
  expect((await refused)[0].statusCode).toBe(429) // at most two large bodies of one network are read at the same time
  expect((await answer(form, {}, { files: [createFile('plan.txt', 1024 ** 2)] })).statusCode).toBe(200)
  for (const sending of slow) sending.destroy()
})

test('the owner gets one mail about an answer, also when it is sent twice, and none about spam; the visitor gets none', async () => {
  const form = await addForm(ada, [
    email,
    fieldOf({ field_name: 'day', field_type: 'date' }),
    fieldOf({ field_name: 'km', field_type: 'number' }),
  ])
  await ada.send({ method: 'PATCH', url: '/api/profile', payload: { country: 'DE' } })
  const visitor = visitForm(app, ada, form)
  const page = await visitor.open()
  clock.pass(10)
  const values = { first_name: 'Free pills at xyz.example', email: 'victim@example.org', day: '2020-02-29', km: '1234.5' }
  const sent = { ...page, values, key: 'twice' }
  await visitor.send(sent)
  await visitor.send(sent)
  await answer(form, { email: 'victim@example.org' }, { [trapFieldName]: 'Pills' })
  const { rows } = (await ada.send({ url: '/api/outbox' })).json()
  expect(rows).toMatchObject([{ to_address: ada.email, subject: 'New submission: Ask for an offer' }])
  expect(rows[0].content).toContain(`/lead-forms/${form.id}/submissions`)
  expect(rows[0].content).toContain('\nday: Saturday, 29 February 2020\nkm: 1234,5\n')
})

test('a search finds answers by name, email and text, and the list of a contact has its answers', async () => {
  const form = await addForm(ada, [email, fieldOf({ field_name: 'wish', field_type: 'text' })])
  await answer(form, { email: 'ann@example.org', wish: 'An oak table' })
  await answer(form, { first_name: 'Bob', email: 'bob@example.org', wish: 'A chair' })
  const findNames = async (query: Record<string, string>) => (await readSubmissions(ada, query)).map(({ name }) => name)
  expect(await findNames({ search: 'OAK' })).toEqual(['Ann Lee'])
  expect(await findNames({ search: 'bob@' })).toEqual(['Bob Lee'])
  const [bob] = await readSubmissions(ada, { search: 'bob' })
  expect(await findNames({ contact_id: bob?.contact_id ?? '' })).toEqual(['Bob Lee'])
})
