// The texts of the empty board, the form and the keyboard control of the board.
import { act, fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { changeResponse, problemResponse, renderApp } from '#web/testing.ts'
import { barRefit, changeId, mockServerWith, setElementSize } from './testing.ts'

beforeEach(setElementSize)

const stageLabels = ['Lead', 'Qualified', 'Proposal', 'Negotiation', 'Closed Won', 'Closed Lost']

test('the empty board explains deals, and the form explains each invalid field', async () => {
  const server = mockServerWith()
  server.setHandlers({ 'POST /api/deals': changeResponse(changeId, barRefit, 201) })
  await renderApp('/crm/deals')
  expect(
    await screen.findByText('A deal is something that somebody may buy from you. Follow it from the first talk to the signature.'),
  ).toBeTruthy()
  fireEvent.click(screen.getByRole('link', { name: 'Add deal' }))
  await screen.findByRole('textbox', { name: 'Title' })
  const form = within(screen.getByRole('dialog', { name: 'Add deal' }))
  const field = (name: string): HTMLInputElement => form.getByRole('textbox', { name })
  const type = (name: string, value: string) => fireEvent.change(field(name), { target: { value } })
  const save = () => fireEvent.click(form.getByRole('button', { name: 'Save deal' }))
  for (const placeholder of ['Search contacts', 'Search companies']) expect(form.getByPlaceholderText(placeholder)).toBeTruthy()
  expect([...document.querySelectorAll('[role=dialog] label')].map(({ textContent }) => textContent?.trim())).toEqual([
    'Title',
    'Stage',
    'Value optional',
    'Probability optional',
    'Close date optional',
    'Contact optional',
    'Company optional',
    'Tags optional',
    'Description optional',
  ])
  for (const [value, probability, valueError, probabilityError] of [
    ['a lot', 'half', 'Enter a number like 1,284.50', 'Enter a whole number like 12'],
    ['-1', '101', 'At least 0', 'At most 100'],
    ['0.125', '-1', 'At most two decimals', 'At least 0'],
    ['1e12', '0.5', 'Enter a number like 1,284.50', 'Enter a whole number like 12'],
    ['1000000000000', '-1', 'This is too much', 'At least 0'],
  ] as const) {
    type('Value optional', value)
    type('Probability optional', probability)
    save()
    expect(await form.findByText(valueError)).toBeTruthy()
    expect(form.getByText(probabilityError)).toBeTruthy()
  }
  expect(form.getByText('Enter a title')).toBeTruthy()
  expect(field('Probability optional').placeholder).toBe('10') // in percent, for the stage Lead
  expect(form.getByRole<HTMLInputElement>('combobox', { name: 'Stage' }).value).toBe('Lead')
  expect(server.requestsTo('POST /api/deals')).toEqual([])
  type('Title', 'Waiting room')
  type('Value optional', '')
  type('Probability optional', '')
  save()
  expect(await screen.findByText('Deal created')).toBeTruthy()
  expect(server.requestsTo('POST /api/deals')[0]?.body).toEqual({ id: expect.any(String), title: 'Waiting room' })
})

test('each stage has a link that adds a deal, and the board announces how a lifted deal is moved and that a move failed', async () => {
  const server = mockServerWith(barRefit)
  server.setHandlers({ 'PATCH /api/deals/{id}': () => problemResponse('not_ready') })
  await renderApp('/crm/deals')
  const card = await screen.findByRole('link', { name: /^Bar refit/ })
  for (const stage of stageLabels) expect(screen.getByRole('link', { name: `Add deal in ${stage}` })).toBeTruthy()
  expect(within(screen.getByRole('region', { name: 'Lead, 1 deal' })).getAllByText('£18,500').length).toBeGreaterThan(0)
  const press = (key: string): boolean => fireEvent.keyDown(document.activeElement ?? document.body, { key })
  act(() => card.focus())
  press(' ')
  const keys = 'Left and right arrows carry it, Space drops it, Escape puts it back.'
  expect(screen.getByText(`“Bar refit” is lifted from Lead. ${keys}`)).toBeTruthy()
  press('ArrowRight')
  expect(screen.getByText('“Bar refit” is over Qualified.')).toBeTruthy()
  press(' ')
  expect((await screen.findByRole('alert')).textContent).toBe('“Bar refit” was not movedThe server is busy or starting. Please try again.')
  expect(screen.getByText('“Bar refit” was not moved to Qualified. It stays where it was.')).toBeTruthy()
  expect(await screen.findByRole('region', { name: 'Lead, 1 deal' })).toBeTruthy()
})
