// The public page of a form: what its document contains, and the forms of browsers without scripts.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { FormContent, PageParts } from '#contract/pages.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { addForm, answerForm, createClock, fieldOf, readSubmissions } from '#server/testing/forms.ts'
import { contentPages } from '#server/testing/pages.ts'
import { signInAs, type Person } from '#server/testing/people.ts'

const clock = createClock()
let app: TestApp
let ada: Person
let visitorCount = 0
beforeAll(async () => {
  app = await openTestApp({ now: clock.now, pages: contentPages })
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  visitorCount++
})

/** Opens a public address. Returns the status, the headers and the content of the page. */
async function open(url: string, { server } = app) {
  const { statusCode, headers, body } = await server.inject({ url, remoteAddress: `10.8.0.${visitorCount}` })
  const page: { name: string; content: FormContent; parts: PageParts } = JSON.parse(body)
  return { statusCode, headers, ...page }
}

/** Sends a form without files to the page. */
const postText = (url: string, payload: string) =>
  app.server.inject({
    method: 'POST',
    url,
    payload,
    remoteAddress: `10.8.0.${visitorCount}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://foyer.test' },
  })

/** Sends a form to the page like a browser without scripts. */
async function post(url: string, entries: readonly (readonly [string, string])[], files: readonly File[] = []) {
  const form = new FormData()
  for (const [name, value] of entries) form.append(name, value)
  for (const file of files) form.append('field.plan', file)
  const encoded = new Response(form)
  const response = await app.server.inject({
    method: 'POST',
    url,
    remoteAddress: `10.8.0.${visitorCount}`,
    payload: Buffer.from(await encoded.arrayBuffer()),
    headers: { 'content-type': encoded.headers.get('content-type') ?? '', origin: 'http://foyer.test' },
  })
  const page: { content: FormContent; parts: PageParts } = JSON.parse(response.body)
  return { statusCode: response.statusCode, headers: response.headers, ...page }
}

const names = [
  ['field.first_name', 'Ann'],
  ['field.last_name', 'Lee'],
] as const
const email = fieldOf({ field_name: 'email', field_label: 'Email', field_type: 'email', is_required: true })

test('the page has the fields, a token, and the values of its address, and other websites may show it', async () => {
  const form = await addForm(ada, [email], { description: 'Tell us.' })
  const { statusCode, headers, content } = await open(`/form/${form.slug.toUpperCase()}?embed=1&email=ann%40example.org&other=1`)
  expect(statusCode).toBe(200)
  expect(content).toMatchObject({
    state: 'open',
    title: 'Ask for an offer',
    description: 'Tell us.',
    address: `http://foyer.test/form/${form.slug}`,
    values: { email: ['ann@example.org'] },
    is_embedded: true,
  })
  expect(content.fields.map(({ field_name }) => field_name)).toEqual(['first_name', 'last_name', 'email'])
  expect(headers['content-security-policy']).toContain('frame-ancestors *')
  expect(headers['x-frame-options']).toBeUndefined()
  expect(JSON.stringify(content)).not.toContain(ada.id)
  expect(JSON.stringify(content)).not.toContain(ada.email)
})

test('an edit and a full form are shown by each process at once, and each view has its own token and nonce', async () => {
  const secondApp = await openTestApp({ now: clock.now, pages: contentPages, connections: app.connections })
  const form = await addForm(ada, [email], { max_submissions: 1 })
  const openAll = async () => Promise.all([app, secondApp, app, secondApp].map(async (each) => open(`/form/${form.slug}`, each)))
  const views = [...(await openAll()), ...(await openAll())]
  for (const part of ['token', 'nonce', 'challenge'] as const) expect(new Set(views.map(({ parts }) => parts[part])).size).toBe(8)
  for (const title of ['Ask us', 'Ask us more']) {
    await ada.send({ method: 'PATCH', url: `/api/lead-forms/${form.id}`, payload: { title } })
    expect((await openAll()).map(({ content }) => content.title)).toEqual([title, title, title, title])
  }
  await answerForm({ app, person: ada, clock }, form, { email: 'ann@example.org' })
  expect((await openAll()).map(({ content }) => content.state)).toEqual(['closed', 'closed', 'closed', 'closed'])
  await secondApp.stop()
})

test('an unknown or inactive form gets status 404 without a title, and a closed form gets 410 without a token', async () => {
  const form = await addForm(ada, [], { is_active: false })
  for (const slug of ['nothing-here', form.slug])
    expect(await open(`/form/${slug}`)).toMatchObject({ statusCode: 404, content: { state: 'missing', title: '' } })
  await ada.send({ method: 'PATCH', url: `/api/lead-forms/${form.id}`, payload: { is_active: true, closes_at: '2020-01-01T00:00:00Z' } })
  expect(await open(`/form/${form.slug}`)).toMatchObject({ statusCode: 410, content: { state: 'closed' }, parts: { token: '' } })
})

test('a browser without scripts gets the thanks, or the page again with the messages and what was entered', async () => {
  const wood = fieldOf({ field_name: 'wood', field_type: 'checkbox', options: ['Oak', 'Ash'] })
  const plan = fieldOf({ field_name: 'plan', field_type: 'file' })
  const form = await addForm(ada, [email, wood, plan], { success_message: '' })
  const address = `/form/${form.slug}?utm_source=news`
  const { content, parts } = await open(address)
  const page = [
    ['form_id', content.id],
    ['page_token', parts.token],
    ['subject_line', ''],
    ['field.wood', 'Oak'],
    ['field.wood', 'Ash'],
  ] as const
  clock.pass(9)
  const refused = await post(address, [...page, ...names, ['field.email', 'nonsense']])
  expect(refused).toMatchObject({
    statusCode: 422,
    content: {
      state: 'open',
      messages: { email: 'Email must be an email like name@example.com' },
      values: { first_name: ['Ann'], wood: ['Oak', 'Ash'] },
    },
  })
  const entries = page.map(([name, value]) => [name, name === 'page_token' ? refused.parts.token : value] as const)
  const files = [new File(['The plan'], 'plan.txt', { type: 'text/plain' })]
  for (const attempt of ['first', 'repeated']) {
    const accepted = await post(address, [...entries, ...names, ['field.email', 'ann@example.org']], files)
    expect([attempt, accepted.statusCode, accepted.content.state]).toEqual([attempt, 200, 'sent'])
    expect(accepted.content.success_message).toBe('Your submission has been received.')
  }
  const submissions = await readSubmissions(ada)
  expect(submissions).toMatchObject([{ submission_data: { wood: ['Oak', 'Ash'] }, source: { utm_source: 'news' }, is_spam: false }])
  const full = (await ada.send({ url: `/api/submissions/${submissions[0]?.id}` })).json()
  expect(full.files).toMatchObject([{ file_name: 'plan.txt', file_size: 8 }])
})

test('without scripts, corrected answers after a lost response are sent only if the visitor wants that', async () => {
  const form = await addForm(ada, [email])
  const { content, parts } = await open(`/form/${form.slug}`)
  const send = (token: string, address: string) =>
    post(`/form/${form.slug}`, [...names, ['form_id', content.id], ['page_token', token], ['field.email', address]])
  clock.pass(9)
  await send(parts.token, 'anne@example.org')
  const corrected = await send(parts.token, 'ann@example.org')
  expect([corrected.statusCode, corrected.content.problem]).toEqual([
    422,
    'Your earlier answers were received. Send the form again only if you have corrected them.',
  ])
  expect(await readSubmissions(ada)).toHaveLength(1)
  clock.pass(9)
  expect((await send(corrected.parts.token, 'ann@example.org')).content.state).toBe('sent')
  expect(await readSubmissions(ada)).toHaveLength(2)
})

test('without scripts, the page that is shown after the fields have changed accepts the new fields', async () => {
  const form = await addForm(ada, [email])
  const address = `/form/${form.slug}`
  const { content, parts } = await open(address)
  const page = [['form_id', content.id], ['subject_line', ''], ...names] as const
  const workMail = fieldOf({ field_name: 'work_mail', field_label: 'Work email', field_type: 'email' })
  const changed = await ada.send({ method: 'PATCH', url: `/api/lead-forms/${form.id}`, payload: { form_fields: [workMail] } })
  expect(changed.statusCode, changed.body).toBe(200)
  clock.pass(9)
  const refused = await post(address, [...page, ['page_token', parts.token], ['field.email', 'nonsense']])
  expect(refused.statusCode).toBe(422)
  clock.pass(9)
  const accepted = await post(address, [...page, ['page_token', refused.parts.token], ['field.work_mail', 'ann@example.org']])
  expect([accepted.statusCode, accepted.content.state]).toEqual([200, 'sent'])
  expect(await readSubmissions(ada)).toMatchObject([{ submission_data: { work_mail: 'ann@example.org' } }])
})

test('a form without a page token, from another website or that cannot be read is refused', async () => {
  const form = await addForm(ada)
  const url = `/form/${form.slug}`
  const send = async (payload: string, headers: Record<string, string>) =>
    (await app.server.inject({ method: 'POST', url, payload, headers })).statusCode
  const encoded = { 'content-type': 'application/x-www-form-urlencoded' }
  expect(await send('a=1', encoded)).toBe(409)
  expect(await send('form_id=1&page_token=2', encoded)).toBe(409)
  expect(await send('a=1', { ...encoded, origin: 'https://evil.example' })).toBe(403)
  expect(await send('--x', { 'content-type': 'multipart/form-data; boundary=y' })).toBe(400)
  expect(await send('{}', { 'content-type': 'application/json' })).toBe(415)
  expect(await send(`a=${'x'.repeat(12 * 1024 ** 2)}`, encoded)).toBe(413)
  expect(await readSubmissions(ada)).toEqual([])
})

test('the embed script may be loaded by every website', async () => {
  const { headers, body } = await app.server.inject({ url: '/embed/form.js' })
  expect(headers).toMatchObject({ 'cross-origin-resource-policy': 'cross-origin', 'content-type': 'text/javascript; charset=utf-8' })
  expect(body).toContain('/form/')
})

test('a form with very many entries is refused before they are read, because that would block all other requests', async () => {
  const form = await addForm(ada)
  const entries = Array.from({ length: 20_000 }, (_each, index) => `field.${index}=`).join('&')
  const response = await postText(`/form/${form.slug}`, `form_id=${form.id}&page_token=x&${entries}`)
  expect([response.statusCode, response.json().code]).toEqual([400, 'malformed'])
  const large = await postText(`/form/${form.slug}`, `form_id=${'x'.repeat(1024 ** 2)}`)
  expect([large.statusCode, large.json().code]).toEqual([413, 'too_large'])
})

test('the page asks browsers to send their origin with the form, because a form without an origin is refused', async () => {
  const form = await addForm(ada)
  expect((await open(`/form/${form.slug}`)).headers['referrer-policy']).toBe('same-origin')
})

test('an address with characters that cannot be stored has status 404', async () => {
  const { statusCode } = await app.server.inject({ url: '/form/offer%00' })
  expect(statusCode).toBe(404)
})

test('a visitor beyond the limits reads how long to wait, also without script', async () => {
  const form = await addForm(ada, [email])
  const { parts } = await open(`/form/${form.slug}`)
  clock.pass(10)
  const entries = [
    ['form_id', form.id],
    ['page_token', parts.token],
    ['field.email', 'ann@example.org'],
  ] as const
  // 3 requests without a proof, and then 10 suspicious ones with this email, which is the limit for 15 minutes
  for (let count = 0; count < 13; count++) expect((await post(`/form/${form.slug}`, entries)).content.messages).toHaveProperty('first_name')
  clock.pass(100)
  expect((await post(`/form/${form.slug}`, entries)).content.problem).toBe(
    'Too many forms were sent from your network or to this page. Try again in 14 minutes.',
  )
})
