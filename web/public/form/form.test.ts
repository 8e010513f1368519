// @vitest-environment-options { "settings": { "handleDisabledFileLoadingAsSuccess": true } }
// Without this option happy-dom reports an error for each file that a document names, because it loads no files.
// The script of the page of a form, with documents that the server would send.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { FormField } from '#contract/formFields.ts'
import type { FormContent } from '#contract/pages.ts'
import { problemResponse } from '#web/testing.ts'
import { pages } from '../pages.tsx'

// a browser that cannot solve the challenge sends `without_script`, although its script runs
vi.mock('../visitors/proof.ts', () => ({ solveProof: async () => ({ without_script: true }), waitUntilPlausible: async () => {} }))

const fieldOf = (id: string, field_label: string, more: Partial<FormField> = {}): FormField => ({
  id,
  field_label,
  field_name: field_label.toLowerCase(),
  field_type: 'text',
  is_required: false,
  placeholder: '',
  options: [],
  ...more,
})
const firstName = fieldOf('first_name', 'First Name', { field_name: 'first_name', is_required: true })
const message = fieldOf('a', 'Message', { field_type: 'textarea' })
const wood = fieldOf('b', 'Wood', { field_type: 'checkbox', options: ['Oak', 'Ash'] })
const plan = fieldOf('c', 'Plan', { field_type: 'file' })

/** Returns the document of the form with these fields. Its address has `wood=Oak`, which selects a wood. */
function render(token: string, fields: readonly FormField[], changes: Partial<FormContent> = {}): string {
  const content: FormContent = {
    state: 'open',
    id: 'form-id',
    address: 'https://foyer.example/form/offer',
    path: '/form/offer',
    title: 'Ask for an offer',
    description: '',
    success_message: 'Received',
    redirect_url: '',
    fields: [firstName, ...fields],
    values: { wood: ['Oak'] },
    messages: {},
    problem: '',
    is_embedded: false,
    ...changes,
  }
  return pages.form(content, { nonce: '', token: `payload.${token}`, challenge: '{}', styles: [], scripts: [], prefetchUrls: [] })
}

type SentBody = { page_token: string; values: Record<string, unknown>; files: { field_name: string; file_name: string }[] }
let sent: SentBody[]
let loaded: string[]
let responses: Response[]
beforeEach(() => {
  vi.resetModules() // the script runs when it is loaded
  sent = []
  loaded = []
  responses = []
  history.replaceState(null, '', '/form/offer?wood=Oak')
  vi.stubGlobal('fetch', async (address: string, { body }: { body?: string } = {}) => {
    if (body === undefined) loaded.push(address)
    else sent.push(JSON.parse(body))
    return responses.shift() ?? new Response(null, { status: 500 })
  })
})
afterEach(() => {
  history.replaceState(null, '', '/')
  document.body.replaceChildren()
})

const received = () => new Response(null, { status: 204 })
const inputOf = (name: string, value = ''): HTMLInputElement => {
  const input = document.querySelector<HTMLInputElement>(`[name="field.${name}"]${value && `[value="${value}"]`}`)
  if (!input) throw new Error(`The page has no field ${name}`)
  return input
}
const problem = () => document.querySelector('#form-problem')?.textContent
const isThanked = () => document.querySelector<HTMLElement>('#thanks')?.hidden === false

async function openPage(fields: readonly FormField[], changes: Partial<FormContent> = {}): Promise<void> {
  document.body.innerHTML = new DOMParser().parseFromString(render('first', fields, changes), 'text/html').body.innerHTML
  await import('./form.ts')
}

/** Presses the button and waits until the script has got all responses. */
async function submit(...next: Response[]): Promise<void> {
  responses = next
  document.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true }))
  await expect.poll(() => [responses.length, document.querySelector('.button')?.textContent]).toEqual([0, 'Submit'])
}

test('the document does not repeat the referrer policy, which the response has in a header', () => {
  expect(new DOMParser().parseFromString(render('first', []), 'text/html').querySelector('meta[name=referrer]')).toBeNull()
})

test('a form whose token has expired is sent with a new token, if its fields are the same', async () => {
  await openPage([message, wood])
  inputOf('first_name').value = 'Ann'
  inputOf('message').value = 'A table'
  await submit(problemResponse('page_expired'), new Response(render('second', [message, wood])), received())
  expect([loaded, isThanked()]).toEqual([['/form/offer?wood=Oak'], true])
  expect(sent.map(({ page_token }) => page_token)).toEqual(['payload.first', 'payload.second'])
  expect(sent[1]?.values).toEqual({ first_name: 'Ann', message: 'A table', wood: 'Oak' })
})

test('a form whose fields have changed is shown again with what was entered, before it is sent with a new token', async () => {
  await openPage([message, wood, plan])
  inputOf('first_name').value = 'Ann'
  inputOf('message').value = 'A table'
  inputOf('wood', 'Oak').checked = false
  inputOf('wood', 'Ash').checked = true
  const files = new DataTransfer()
  files.items.add(new File(['The plan'], 'plan.txt'))
  inputOf('plan').files = files.files
  const newFields = [
    fieldOf('d', 'City', { is_required: true }),
    { ...message, field_name: 'request', field_label: 'Request' },
    { ...wood, id: 'e', options: ['Oak', 'Ash', 'Elm'] },
    { ...plan, field_name: 'drawing' },
  ]
  await submit(problemResponse('page_expired'), new Response(render('second', newFields)))
  expect([sent.length, isThanked()]).toEqual([1, false])
  expect(problem()).toBe('This form has changed since you opened it. Please check your answers and send it again.')
  expect(document.activeElement?.getAttribute('name')).toBe('field.first_name')
  await submit()
  expect(document.querySelector('#message-city')?.textContent).toBe('City is required')
  inputOf('city').value = 'York'
  await submit(received())
  expect(isThanked()).toBe(true)
  expect(sent[1]).toMatchObject({ page_token: 'payload.second', files: [{ field_name: 'drawing', file_name: 'plan.txt' }] })
  expect(sent[1]?.values).toEqual({ first_name: 'Ann', city: 'York', request: 'A table', wood: 'Ash' })
})

test('an answer keeps as much as the new type of its field can hold', async () => {
  const size = fieldOf('f', 'Size', { field_type: 'radio', options: ['S', 'L'] })
  await openPage([wood, size, message])
  inputOf('first_name').value = 'Ann'
  inputOf('wood', 'Ash').checked = true
  inputOf('size', 'L').checked = true
  inputOf('message').value = 'A table'
  const newFields = [
    { ...wood, field_type: 'text' as const },
    { ...size, field_type: 'select' as const },
    { ...message, field_type: 'file' as const },
  ]
  // the token of the page was used already; the script then reads the page again, as when the token has expired
  await submit(problemResponse('visit_refused'), new Response(render('second', newFields)))
  await submit(received())
  expect(sent[1]?.values).toEqual({ first_name: 'Ann', wood: 'Oak, Ash', size: 'L' })
})

test('a problem that belongs to no field gets the focus', async () => {
  await openPage([])
  inputOf('first_name').value = 'Ann'
  await submit(problemResponse('not_found'))
  expect([document.activeElement?.id, problem()]).toEqual(['form-problem', 'This form no longer takes answers.'])
  await submit(problemResponse('too_many_requests', { retry_after_seconds: 5 }))
  expect(problem()).toBe('Too many forms were sent from your network or to this page. Try again in a minute.')
})

/** Chooses a file of each of these sizes; without sizes, the field becomes empty. */
function choose(name: string, ...megabytes: number[]): void {
  const files = new DataTransfer()
  for (const size of megabytes) files.items.add(new File([new Uint8Array(size * 1024 ** 2)], 'plan.pdf'))
  inputOf(name).files = files.files
  inputOf(name).dispatchEvent(new Event('change', { bubbles: true }))
}

test('files that are too large together are refused when they are chosen, with the limit', async () => {
  const photo = fieldOf('g', 'Photo', { field_type: 'file' })
  await openPage([plan, photo])
  inputOf('first_name').value = 'Ann'
  const messages = () => ['plan', 'photo'].map((name) => document.querySelector(`#message-${name}`)?.textContent)
  choose('plan', 4, 4)
  expect(messages()).toEqual(['', ''])
  choose('photo', 4)
  const text = 'All files together may have at most 10 MB, and these have 12 MB'
  expect(messages()).toEqual([text, text])
  await submit()
  expect([sent.length, problem(), document.activeElement?.getAttribute('name')]).toEqual([
    0,
    'Some of this needs another look.',
    'field.plan',
  ])
  choose('photo')
  expect([messages(), inputOf('photo').hasAttribute('aria-invalid')]).toEqual([['', ''], false])
})

test('the message of a field goes away when the field is changed, and the sentence at the top goes away with the last message', async () => {
  const style = fieldOf('h', 'Style', { field_type: 'radio', options: ['Modern', 'Classic'], is_required: true })
  const consent = fieldOf('i', 'Consent', { field_type: 'consent', is_required: true })
  await openPage([style, consent])
  await submit()
  const marked = () => [...document.querySelectorAll('[aria-invalid]')].map((input) => input.getAttribute('name'))
  const messages = () => ['first_name', 'style', 'consent'].map((name) => document.querySelector(`#message-${name}`)?.textContent !== '')
  expect([messages(), marked()]).toEqual([
    [true, true, true],
    ['field.first_name', 'field.style', 'field.style', 'field.consent'], // `style` has two radio buttons
  ])
  expect(document.querySelector('#message-consent')?.textContent).toBe('Tick this box to continue')
  const change = (input: HTMLInputElement): boolean => input.dispatchEvent(new Event('input', { bubbles: true }))
  change(inputOf('style', 'Classic'))
  expect([messages(), marked(), problem()]).toEqual([
    [true, false, true],
    ['field.first_name', 'field.consent'],
    'Some of this needs another look.',
  ])
  change(inputOf('consent'))
  change(inputOf('first_name'))
  expect([messages(), marked(), problem()]).toEqual([[false, false, false], [], ''])
})

test('a problem that belongs to no field stays while the form is changed, also when the message of a field goes away', async () => {
  await openPage([plan])
  inputOf('first_name').value = 'Ann'
  await submit(new Response(null, { status: 500 }))
  inputOf('first_name').dispatchEvent(new Event('input', { bubbles: true }))
  expect(problem()).toBe('This could not be sent. Check your connection and try again.')
  choose('plan', 12)
  choose('plan')
  expect([document.querySelector('[aria-invalid]'), problem()]).toEqual([
    null,
    'This could not be sent. Check your connection and try again.',
  ])
})

test.each([
  ['it is about the fields', '', ''],
  ['it is not', 'Too many forms were sent.', 'Too many forms were sent.'],
])(
  'in a form that the server has refused, the sentence at the top goes away with the last message if it is about the fields: %s',
  async (_name, sentence, expected) => {
    await openPage([], { messages: { first_name: 'First name and last name are required' }, problem: sentence })
    expect(problem()).toBe(sentence || 'Some of this needs another look.')
    inputOf('first_name').dispatchEvent(new Event('input', { bubbles: true }))
    expect([document.querySelector('#message-first_name')?.textContent, problem()]).toEqual(['', expected])
  },
)
