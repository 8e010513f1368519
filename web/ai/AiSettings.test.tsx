import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { AiConnection } from '#contract/ai.ts'
import { mockServer, nora, problemResponse, renderApp } from '#web/testing.ts'
import { noAi, noAiHandlers, noAiUsage } from './testing.ts'

const unknown = noAi.capabilities
const operator: AiConnection = { ...noAi, source: 'operator', model: 'large', image_model: 'painter', has_operator_connection: true }
const own: AiConnection = {
  ...noAi,
  source: 'own',
  base_url: 'https://ai.example/v1',
  key_state: 'stored',
  key_end: '8f2c',
  model: 'small',
  capabilities: { tools: true, structured_output: true, vision: false, images: null },
}
const works = { failure: null, problem: null, capabilities: { tools: true, structured_output: true, vision: true, images: null } }
const mockAi = (connection: AiConnection, handlers: Parameters<typeof mockServer>[0] = {}) =>
  mockServer({
    'GET /api/session': nora,
    ...noAiHandlers,
    'GET /api/ai': connection,
    'POST /api/ai/models': { failure: null, problem: null, models: ['small', 'large', 'painter'] },
    ...handlers,
  })
const openSection = async () => {
  await renderApp('/account')
  return within(await screen.findByRole('region', { name: 'AI assistant' }))
}
type Section = Awaited<ReturnType<typeof openSection>>
const type = (section: Section, label: string, value: string): void =>
  void fireEvent.change(section.getByLabelText(label, { selector: 'input' }), { target: { value } })
const click = (section: Section, name: string): void => void fireEvent.click(section.getByRole('button', { name }))

test('a hosted service is connected: its models are listed, and the saved connection is tested at once', async () => {
  const server = mockAi(noAi, {
    'PUT /api/ai': { ...own, capabilities: unknown, image_model: 'painter' },
    'POST /api/ai/test': works,
  })
  const section = await openSection()
  expect(await section.findByText('No AI is connected. Everything else works without one.')).toBeTruthy()
  type(section, 'Address', 'https://ai.example/v1')
  type(section, 'Key', 'key-of-nora-8f2c')
  const model = section.getByRole('combobox', { name: 'Model' })
  act(() => model.focus())
  await waitFor(() => expect(server.requestsTo('POST /api/ai/models')).toHaveLength(1))
  expect(server.requestsTo('POST /api/ai/models')[0]?.body).toEqual({ base_url: 'https://ai.example/v1', key: 'key-of-nora-8f2c' })
  fireEvent.click(await screen.findByRole('option', { name: 'small' }))
  type(section, 'Model for pictures (optional)', 'painter')
  type(section, 'Price of input (optional)', '0.15')
  type(section, 'Price of output (optional)', '0,6')
  server.setHandlers({ 'GET /api/ai': { ...own, capabilities: works.capabilities, image_model: 'painter' } })
  click(section, 'Connect')
  expect(await screen.findByText('AI connection saved')).toBeTruthy()
  expect(server.requestsTo('PUT /api/ai')[0]?.body).toEqual({
    base_url: 'https://ai.example/v1',
    key: 'key-of-nora-8f2c',
    model: 'small',
    image_model: 'painter',
    input_price: 0.15,
    output_price: 0.6,
  })
  expect(await section.findByText('The connection works.')).toBeTruthy()
  expect(server.requestsTo('POST /api/ai/test')[0]?.body).toEqual({
    base_url: 'https://ai.example/v1',
    model: 'small',
    image_model: 'painter',
  })
  expect(section.getByLabelText<HTMLInputElement>('Key')).toMatchObject({ value: '', placeholder: 'Stored, ends in 8f2c' })
  expect(section.getByText('Sees pictures')).toBeTruthy()
})

test('an AI server on the machine of Foyer is offered, and gets no request before the user tests it', async () => {
  const server = mockAi(noAi, {
    'GET /api/ai/local': { servers: [{ name: 'Ollama', base_url: 'http://127.0.0.1:11434/v1', models: ['llama', 'qwen'] }] },
    'POST /api/ai/test': { failure: 'no_tools', problem: 'This model cannot use tools.', capabilities: { ...unknown, tools: false } },
  })
  const section = await openSection()
  fireEvent.click(await section.findByRole('button', { name: 'Use Ollama (2 models)' }))
  expect(section.getByLabelText<HTMLInputElement>('Address').value).toBe('http://127.0.0.1:11434/v1')
  expect(document.activeElement).toBe(section.getByRole('combobox', { name: 'Model' }))
  expect(await screen.findByRole('option', { name: 'qwen' })).toBeTruthy()
  fireEvent.click(screen.getByRole('option', { name: 'llama' }))
  expect(server.requests.filter(({ method }) => method !== 'GET')).toEqual([])
  click(section, 'Test')
  expect(await section.findByText('This model cannot use tools.')).toBeTruthy()
  expect(section.getByText('Cannot look things up or suggest changes')).toBeTruthy()
  type(section, 'Model', 'qwen') // the result of the test is out of date
  await waitFor(() => expect(section.queryByText('This model cannot use tools.')).toBeNull())
})

test('when the service is busy during a test, the page says so, and what is still unknown', async () => {
  const problem = 'The AI service is busy, or its limit is reached. Please try again in a minute.'
  mockAi(own, { 'POST /api/ai/test': { failure: 'limit', problem, capabilities: { ...works.capabilities, vision: null } } })
  const section = await openSection()
  fireEvent.click(await section.findByRole('button', { name: 'Test' }))
  expect(await section.findByText(problem)).toBeTruthy()
  expect(section.getByText('Seeing pictures: not known yet')).toBeTruthy()
  expect(section.queryByText('The connection works.')).toBeNull()
})

test('missing values show errors at their fields, and nothing is sent', async () => {
  const server = mockAi(noAi)
  const section = await openSection()
  await section.findByRole('button', { name: 'Connect' })
  type(section, 'Price of input (optional)', 'cheap')
  click(section, 'Connect')
  expect(await section.findByText('Enter an address like https://ai.example/v1')).toBeTruthy()
  expect(section.getByText('Choose a model')).toBeTruthy()
  expect(section.getByText('Enter a number like 1,284.50')).toBeTruthy()
  expect(document.activeElement).toBe(section.getByLabelText('Address'))
  expect(server.requests.filter(({ method }) => method !== 'GET')).toEqual([])
})

test('the connection of the operator is named, and another one can be connected instead', async () => {
  mockAi(operator)
  const section = await openSection()
  expect(await section.findByText('large')).toBeTruthy()
  expect(section.queryByLabelText('Address')).toBeNull()
  click(section, 'Connect another one')
  expect(section.getByLabelText<HTMLInputElement>('Address').value).toBe('')
  click(section, 'Cancel')
  expect(section.queryByLabelText('Address')).toBeNull()
})

test('an own connection is shown without its key, and the field says when another address needs another key', async () => {
  mockAi(own)
  const section = await openSection()
  const key = await section.findByLabelText<HTMLInputElement>('Key')
  expect([key.value, key.placeholder, key.type]).toEqual(['', 'Stored, ends in 8f2c', 'password'])
  expect(section.getByText('Leave it empty to keep the stored key.')).toBeTruthy()
  type(section, 'Address', 'https://other.example/v1')
  expect(section.getByText('The stored key is only sent to ai.example. Enter the key for this address.')).toBeTruthy()
  expect(key.placeholder).toBe('')
})

test('the model of an own connection can be changed without the key', async () => {
  const server = mockAi(own, { 'PUT /api/ai': { ...own, model: 'large' }, 'POST /api/ai/test': works })
  const section = await openSection()
  const model = await section.findByRole('combobox', { name: 'Model' })
  expect(section.getByRole<HTMLButtonElement>('button', { name: 'Save connection' }).disabled).toBe(true)
  server.setHandlers({ 'GET /api/ai': { ...own, model: 'large' } })
  act(() => model.focus())
  fireEvent.click(model)
  fireEvent.click(await screen.findByRole('option', { name: 'large' })) // the saved name does not hide other models
  click(section, 'Save connection')
  await screen.findByText('AI connection saved')
  expect(server.requestsTo('POST /api/ai/models')[0]?.body).toEqual({ base_url: 'https://ai.example/v1' })
  expect(server.requestsTo('PUT /api/ai')[0]?.body).not.toHaveProperty('key')
  await section.findByText('The connection works.')
})

test('what the user types while the connection is saved stays, and can be saved next', async () => {
  const saved = Promise.withResolvers<Response>()
  const server = mockAi(own, { 'PUT /api/ai': () => saved.promise, 'POST /api/ai/test': works })
  const section = await openSection()
  await section.findByRole('button', { name: 'Save connection' })
  type(section, 'Model', 'large')
  type(section, 'Key', 'key-of-nora-9a3d')
  click(section, 'Save connection')
  await waitFor(() => expect(server.requestsTo('PUT /api/ai')).toHaveLength(1))
  type(section, 'Model for pictures (optional)', 'painter')
  saved.resolve(Response.json({ ...own, model: 'large', key_end: '9a3d' }))
  expect(await section.findByText('The connection works.')).toBeTruthy()
  const valueOf = (label: string): string => section.getByLabelText<HTMLInputElement>(label, { selector: 'input' }).value
  expect(['Model', 'Key', 'Model for pictures (optional)'].map(valueOf)).toEqual(['large', '', 'painter'])
  server.setHandlers({ 'PUT /api/ai': { ...own, model: 'large', image_model: 'painter' } })
  click(section, 'Save connection')
  await waitFor(() => expect(server.requestsTo('PUT /api/ai')[1]?.body).toMatchObject({ model: 'large', image_model: 'painter' }))
})

test('when the models cannot be listed, their names can be typed, and they are listed once the endpoint answers', async () => {
  const failed = { failure: 'address', problem: 'Nothing answers at this address.', models: [] }
  const server = mockAi(noAi, { 'POST /api/ai/models': failed })
  const section = await openSection()
  fireEvent.change(await section.findByLabelText('Address'), { target: { value: 'https://ai.example/v1' } })
  fireEvent.blur(section.getByLabelText('Address'))
  const sentence = 'The models could not be listed: Nothing answers at this address. You can type the name.'
  expect(await section.findByText(sentence)).toBeTruthy()
  server.setHandlers({ 'POST /api/ai/models': { failure: null, problem: null, models: ['small'] } })
  act(() => section.getByRole('combobox', { name: 'Model' }).focus())
  expect(await screen.findByRole('option', { name: 'small' })).toBeTruthy()
  expect(section.queryByText(sentence)).toBeNull()
})

test('a refused save shows the message of the server at the field', async () => {
  mockAi(own, { 'PUT /api/ai': () => problemResponse('invalid', { fields: { base_url: 'This address is in a private network.' } }) })
  const section = await openSection()
  fireEvent.change(await section.findByLabelText('Address'), { target: { value: 'https://10.0.0.1/v1' } })
  click(section, 'Save connection')
  expect(await section.findByText('This address is in a private network.')).toBeTruthy()
})

test('an own connection is removed', async () => {
  const server = mockAi(own, { 'DELETE /api/ai': undefined })
  const section = await openSection()
  await section.findByRole('button', { name: 'Remove' })
  server.setHandlers({ 'GET /api/ai': operator })
  click(section, 'Remove')
  expect(await screen.findByText('AI connection removed')).toBeTruthy()
  expect(await section.findByText('large')).toBeTruthy()
  expect(section.queryByLabelText('Address')).toBeNull()
})

test('a key that can no longer be read must be entered again', async () => {
  mockAi({ ...own, key_state: 'lost', key_end: '' })
  const section = await openSection()
  expect(await section.findByText(/this server has a new key of its own, and can no longer read the stored one/)).toBeTruthy()
  expect(section.getByLabelText<HTMLInputElement>('Key').placeholder).toBe('')
})

test('the use of the month shows answers, pictures, tokens, cost and the limit of the day', async () => {
  mockAi(operator, {
    'GET /api/ai/usage': {
      ...noAiUsage,
      answers: 214,
      images: 12,
      input_tokens: 1_284_000,
      output_tokens: 342_118,
      cost: 0.0321,
      tokens_today: 48_210,
      tokens_per_day: 500_000,
    },
  })
  const section = await openSection()
  const usage = within(await section.findByRole('region', { name: 'Use of the AI this month' }))
  const facts = usage.getAllByRole('term').map((term) => `${term.textContent} ${term.nextSibling?.textContent}`)
  expect(facts).toEqual(['Answers 214', 'Pictures 12', 'Tokens read 1,284,000', 'Tokens written 342,118', 'Cost $0.0321'])
  expect(usage.getByText('48,210 of 500,000 tokens used today.')).toBeTruthy()
})

test('when the limit of the day is reached, the page says when the AI works again', async () => {
  mockAi(operator, { 'GET /api/ai/usage': { ...noAiUsage, answers: 1, tokens_today: 510_000, tokens_per_day: 500_000 } })
  const section = await openSection()
  expect(await section.findByText('510,000 of 500,000 tokens used today. The AI works again tomorrow.')).toBeTruthy()
})

test('when the connection cannot be loaded, the user can try again', async () => {
  const server = mockAi(own, { 'GET /api/ai': () => problemResponse('not_ready') })
  const section = await openSection()
  expect(await section.findByText('The AI connection could not be loaded')).toBeTruthy()
  server.setHandlers({ 'GET /api/ai': own })
  click(section, 'Try again')
  expect(await section.findByLabelText('Address')).toBeTruthy()
})

test.each([
  { button: 'Save connection', title: 'The connection was not saved', route: 'PUT /api/ai' },
  { button: 'Test', title: 'The connection could not be tested', route: 'POST /api/ai/test' },
])('when "$button" fails, the reason stays in the form until it is tried again', async ({ button, title, route }) => {
  const server = mockAi(own, { [route]: () => problemResponse('not_ready'), 'POST /api/ai/test': () => problemResponse('not_ready') })
  const section = await openSection()
  await section.findByRole('button', { name: 'Test' })
  type(section, 'Model', 'large')
  click(section, button)
  const warning = (await section.findByText(title)).closest('[role="alert"]')
  expect(warning?.textContent).toBe(`${title}The server is busy or starting. Please try again.`)
  server.setHandlers({ 'PUT /api/ai': own, 'POST /api/ai/test': works })
  await waitFor(() => expect(section.getByRole('button', { name: button }).hasAttribute('data-loading')).toBe(false))
  click(section, button)
  expect(await section.findByText('The connection works.')).toBeTruthy()
  expect(section.queryByText(title)).toBeNull()
})
