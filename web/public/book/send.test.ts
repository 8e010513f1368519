import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { problemResponse } from '#web/testing.ts'
import { sendBookingOnSubmit } from './send.ts'

// a browser that cannot solve the challenge sends `without_script`, although its script runs
vi.mock('../visitors/proof.ts', () => ({ solveProof: async () => ({ without_script: true }), waitUntilPlausible: async () => {} }))

const initialAddress = location.href
afterEach(() => {
  document.body.replaceChildren()
  history.replaceState(null, '', initialAddress)
})

type SentRequest = { address: string; key: string; body: Record<string, unknown> }
type MockedResponse = Response | Error

let requests: SentRequest[]
let opened: string[]
let responses: MockedResponse[]
beforeEach(() => {
  requests = []
  opened = []
  responses = []
  vi.spyOn(location, 'assign').mockImplementation((address) => void opened.push(String(address)))
  vi.stubGlobal('fetch', async (address: string, { headers, body = '{}' }: { headers?: HeadersInit; body?: string } = {}) => {
    requests.push({ address, key: new Headers(headers).get('idempotency-key') ?? '', body: JSON.parse(body) })
    const response = responses.shift()
    if (response instanceof Response) return response
    throw response ?? new Error(`No response for ${address}`)
  })
})

const lost = new Error('offline')
const confirmed = () => Response.json({ address: '/book/site-visit?booked=token' }, { status: 201 })
const page = (token: string, questions = ''): string =>
  `<form id="form" data-challenge="{}">
    <p id="problem" class="problem" tabindex="-1"></p>
    <input name="page_token" value="${token}"><input name="date" value="2026-11-24">
    <select name="start_time"><option>2026-11-24T10:00:00Z</option><option>2026-11-24T11:00:00Z</option></select>
    <select name="timezone"><option>Europe/London</option></select>
    <div class="questions">${questions}</div>
    <input name="name" value="Mary Somervile"><input name="email" value="mary@example.org" aria-describedby="email-message">
    <p id="email-message"></p>
    <button class="button-primary">Confirm Booking</button>
    <input name="wait_days" value="1"><button name="action" value="wait">Tell me when a time is free</button>
  </form>`

/** Shows the page of a booking link. `submit` sets fields, presses the button and waits until the script is ready for the next one. */
function openPage(questions = '') {
  document.body.innerHTML = page('payload.first', questions)
  const form = document.querySelector('form') ?? document.createElement('form')
  sendBookingOnSubmit(form, 'link', { showNearest: () => {} })
  const submit = async (fields: Record<string, string> = {}, button = 'button.button-primary'): Promise<void> => {
    // a name is a part of a CSS selector, so a name with a dot is passed in quotes
    for (const [name, value] of Object.entries(fields)) {
      const field = form.querySelector<HTMLInputElement>(`[name=${name}]`)
      if (field) field.value = value
    }
    form.dispatchEvent(new SubmitEvent('submit', { cancelable: true, submitter: form.querySelector<HTMLElement>(button) }))
    await expect.poll(() => responses).toEqual([])
    await new Promise((resolve) => setTimeout(resolve))
  }
  return { submit, problem: () => form.querySelector('#problem')?.textContent }
}

test('a booking whose response is lost is sent again with the same key, and with another key after a correction', async () => {
  const { submit, problem } = openPage()
  for (let attempt = 0; attempt < 2; attempt++) {
    responses = [lost]
    await submit()
    expect(problem()).toBe('This could not be sent. Check your connection and try again.')
  }
  responses = [confirmed()]
  await submit({ name: 'Mary Somerville' })
  expect(opened).toEqual(['/book/site-visit?booked=token'])
  const [first, repeated, corrected] = requests.map(({ key }) => key)
  expect(repeated).toBe(first)
  expect(corrected).not.toBe(first)
  expect(requests.map(({ body }) => [body['name'], body['page_token']])).toEqual([
    ['Mary Somervile', 'payload.first'],
    ['Mary Somervile', 'payload.first'],
    ['Mary Somerville', 'payload.first'],
  ])
})

test.each([
  ['time', { start_time: '2026-11-24T11:00:00Z' }],
  ['email', { email: 'mary@example.com' }],
])(
  'a visitor who corrects the %s after a lost response sees the booking that was stored, and books no second one',
  async (_name, fields) => {
    const { submit } = openPage()
    responses = [lost]
    await submit()
    responses = [problemResponse('visit_refused'), confirmed()]
    await submit(fields)
    const [first, corrected, repeated] = requests
    expect(corrected?.body).toMatchObject(fields)
    expect(repeated).toEqual(first)
    expect([requests.length, opened]).toEqual([3, ['/book/site-visit?booked=token']])
  },
)

/** The button that asks for a mail when a time is free. Such a request is a wait. */
const waitButton = 'button[value=wait]'

test('a visitor who books after the response to a wait was lost gets the booking, and not the confirmation of the wait', async () => {
  const { submit } = openPage()
  responses = [lost]
  await submit({}, waitButton)
  responses = [problemResponse('visit_refused'), new Response(page('payload.second')), confirmed()]
  await submit()
  expect(requests.map(({ address, body }) => [address.split('/').at(-1), body['page_token']])).toEqual([
    ['waits', 'payload.first'],
    ['bookings', 'payload.first'],
    ['', undefined], // loads the page again
    ['bookings', 'payload.second'],
  ])
  expect(opened).toEqual(['/book/site-visit?booked=token'])
})

test('a visitor who waits after the response to a booking was lost sees the booking that was stored', async () => {
  const { submit } = openPage()
  responses = [lost]
  await submit()
  responses = [problemResponse('visit_refused'), confirmed()]
  await submit({}, waitButton)
  expect([requests.at(-1), opened]).toEqual([requests[0], ['/book/site-visit?booked=token']])
})

test('a request that may be stored is repeated until the server says whether it is stored; a 429 response does not say so', async () => {
  const { submit, problem } = openPage()
  for (const response of [lost, problemResponse('too_many_requests')]) {
    responses = [response]
    await submit()
  }
  responses = [problemResponse('visit_refused'), problemResponse('too_many_requests')]
  await submit({ email: 'mary@example.com' })
  expect([opened, problem()]).toEqual([[], 'This could not be sent. Check your connection and try again.'])
  responses = [problemResponse('visit_refused'), confirmed()]
  await submit()
  expect(requests.at(-1)).toEqual(requests[0])
  expect(opened).toEqual(['/book/site-visit?booked=token'])
})

test('a time from the list of another day is not sent', async () => {
  const { submit } = openPage()
  document.querySelector('form')?.insertAdjacentHTML('beforeend', '<input name="listed_date" value="2026-11-25">')
  responses = [problemResponse('invalid')]
  await submit()
  expect(requests[0]?.body).toMatchObject({ start_time: '', timezone: 'Europe/London' })
})

test('a form whose token was used is sent with a new token if no request was lost, or if none of the lost ones was stored', async () => {
  const { submit } = openPage()
  responses = [problemResponse('visit_refused'), new Response(page('payload.second')), problemResponse('invalid')]
  await submit()
  responses = [lost]
  await submit()
  responses = [problemResponse('page_expired'), problemResponse('page_expired'), new Response(page('payload.third')), confirmed()]
  await submit({ name: 'Mary Somerville' })
  expect(requests.map(({ body }) => body['page_token'])).toEqual([
    'payload.first',
    undefined, // loads the page again
    'payload.second',
    'payload.second',
    'payload.second',
    'payload.second',
    undefined,
    'payload.third',
  ])
  expect(opened).toHaveLength(1)
})

test('a problem that belongs to no field gets the focus, because it can be far above the button', async () => {
  const { submit, problem } = openPage()
  responses = [problemResponse('too_many_requests', { retry_after_seconds: 61 })]
  await submit()
  expect([document.activeElement?.id, problem()]).toEqual([
    'problem',
    'Too many forms were sent from your network or to this page. Try again in 2 minutes.',
  ])
  responses = [problemResponse('not_found')]
  await submit()
  expect(problem()).toBe('This page takes no bookings at the moment.')
})

const question = (name: string, value = ''): string =>
  `<div data-id="${name}" data-field="${name}"><input name="field.${name}" value="${value}"><p id="message-${name}"></p></div>`

test('a question that was added while the page was open is shown with its message, and what was entered stays', async () => {
  const { submit, problem } = openPage(question('floor'))
  const cityIsRequired = () => problemResponse('invalid', { fields: { 'field.city': 'City is required' } })
  responses = [cityIsRequired(), new Response(page('payload.second', question('floor') + question('city')))]
  await submit({ '"field.floor"': 'Third' })
  expect(problem()).toBe('This page has changed since you opened it. Please check what is marked below.')
  expect([document.activeElement?.getAttribute('name'), document.querySelector('#message-city')?.textContent]).toEqual([
    'field.city',
    'City is required',
  ])
  responses = [confirmed()]
  await submit({ '"field.city"': 'York' })
  expect(requests.at(-1)?.body).toMatchObject({ page_token: 'payload.second', values: { floor: 'Third', city: 'York' } })
})

test('the first field of the page with a message gets the focus', async () => {
  const { submit } = openPage(question('floor'))
  responses = [
    problemResponse('invalid', { fields: { 'field.floor': 'Floor is required', email: 'Enter an email', start_time: 'Choose a time' } }),
  ]
  await submit()
  expect(document.activeElement?.getAttribute('name')).toBe('start_time')
})

test('all radio buttons of a refused question are marked, and their group is described by the message until one is chosen', async () => {
  const button = (value: string): string => `<input type="radio" name="field.wood" value="${value}">`
  const { submit } = openPage(
    `<fieldset data-field="wood" aria-describedby="message-wood">${button('Oak')}${button('Ash')}<p id="message-wood"></p></fieldset>`,
  )
  const marked = () => [...document.querySelectorAll('[aria-invalid=true]')].map((each) => each.getAttribute('value'))
  responses = [problemResponse('invalid', { fields: { 'field.wood': 'Wood is required' } })]
  await submit()
  expect([marked(), document.querySelector('#message-wood')?.textContent]).toEqual([['Oak', 'Ash'], 'Wood is required'])
  expect(document.activeElement?.getAttribute('value')).toBe('Oak')
  document.querySelector('[value=Ash]')?.dispatchEvent(new Event('input', { bubbles: true }))
  expect([marked(), document.querySelector('#message-wood')?.textContent]).toEqual([[], ''])
})

test('a message about something that the page does not have is shown with a link that loads the page again', async () => {
  history.replaceState(null, '', '/book/site-visit?date=2026-11-24#content') // the visitor has used "Skip to content"
  const { submit, problem } = openPage()
  responses = [problemResponse('invalid', { fields: { 'field.city': 'City is required' } }), new Response(page('payload.second'))]
  await submit()
  expect(problem()).toBe('This page has changed since you opened it. City is required. Reload the page')
  // a link with a fragment would only jump to it
  expect(document.querySelector('.problem a')?.getAttribute('href')).toBe('/book/site-visit?date=2026-11-24')
  expect(document.activeElement?.id).toBe('problem')
})

test('the message of a field goes away when the field is changed, and a link that loads the page again stays', async () => {
  const { submit, problem } = openPage()
  const email = document.querySelector('[name=email]')
  const shown = () => [document.querySelector('#email-message')?.textContent, email?.hasAttribute('aria-invalid'), problem()]
  const sentence = 'Enter an email like name@example.com'
  responses = [problemResponse('invalid', { fields: { email: sentence } })]
  await submit()
  expect(shown()).toEqual([sentence, true, 'Please check what is marked below.'])
  email?.dispatchEvent(new Event('input', { bubbles: true }))
  expect(shown()).toEqual(['', false, ''])
  responses = [problemResponse('invalid', { fields: { email: sentence, days: 'Choose a day or a week' } })]
  await submit()
  email?.dispatchEvent(new Event('input', { bubbles: true }))
  expect(shown()).toEqual(['', false, 'This could not be sent. Choose a day or a week. Reload the page'])
})

test('a refusal keeps the sentences about the day and the zone; only a message about a refused time replaces the one about the day', async () => {
  const { submit } = openPage()
  const sentences = { start_time: 'No free times on this day.', timezone: 'Times in the zone Etc/Unknown cannot be shown.' }
  for (const [name, text] of Object.entries(sentences))
    document.querySelector('form')?.insertAdjacentHTML('beforeend', `<p id="${name}-message" data-lasting="${text}">${text}</p>`)
  const messages = () => ['start_time', 'timezone', 'email'].map((name) => document.querySelector(`#${name}-message`)?.textContent)
  responses = [problemResponse('invalid', { fields: { email: 'Enter an email' } })]
  await submit({}, waitButton)
  expect(messages()).toEqual([sentences.start_time, sentences.timezone, 'Enter an email'])
  responses = [problemResponse('invalid', { fields: { start_time: 'Choose a time' } })]
  await submit()
  expect(messages()).toEqual(['Choose a time', sentences.timezone, ''])
  responses = [problemResponse('invalid', { fields: { email: 'Enter an email' } })]
  await submit()
  expect(messages()).toEqual([sentences.start_time, sentences.timezone, 'Enter an email'])
})

test('the sentence about a lost connection stays when the message of a field goes away', async () => {
  const { submit, problem } = openPage()
  const email = document.querySelector('[name=email]')
  responses = [problemResponse('invalid', { fields: { email: 'Enter an email' } })]
  await submit()
  responses = [lost]
  await submit()
  email?.dispatchEvent(new Event('input', { bubbles: true }))
  expect([email?.hasAttribute('aria-invalid'), problem()]).toEqual([false, 'This could not be sent. Check your connection and try again.'])
})

test('a message about a value that no visitor can enter wrongly does not say that the page has changed', async () => {
  const { submit, problem } = openPage('<input type="hidden" name="field.campaign" value="fair">')
  for (const [name, text] of [
    ['days', 'Choose a day or a week'], // all options of the select are valid
    ['field.campaign', 'Campaign is too long'], // a hidden field
  ] as const) {
    responses = [problemResponse('invalid', { fields: { [name]: text } })]
    await submit()
    expect(problem()).toBe(`This could not be sent. ${text}. Reload the page`)
  }
})
