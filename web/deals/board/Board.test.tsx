import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { DealRow, NewDeal } from '#contract/deals.ts'
import { stages, type Stage } from '#contract/stages.ts'
import { queries, refreshTables } from '#web/lib/queries.ts'
import { changeResponse, problemResponse, renderApp } from '#web/testing.ts'
import { dealsTable } from '../kind/queries.ts'
import { barRefit, bikeWall, change, setElementSize, mockServerWith, waitingRoom } from '../testing.ts'

beforeEach(setElementSize)

const card = (title: string): HTMLElement => screen.getByRole('link', { name: new RegExp(`^${title}`) })
const findCard = (title: string): Promise<HTMLElement> => screen.findByRole('link', { name: new RegExp(`^${title}`) })
const columnOf = (title: string): string | undefined => card(title).closest('section')?.dataset['stage']
const head = (label: string): HTMLElement => screen.getByRole('heading', { name: label, level: 2 }).parentElement ?? document.body
const focusOn = (title: string) => waitFor(() => expect(document.activeElement).toBe(card(title)))
const press = (key: string): boolean => fireEvent.keyDown(document.activeElement ?? document.body, { key })
const patches = (server: ReturnType<typeof mockServerWith>) => server.requestsTo('PATCH /api/deals/{id}').map(({ body }) => body)

async function focusBarRefit(): Promise<void> {
  const found = await findCard('Bar refit')
  act(() => found.focus())
}

async function moveBarRefit(): Promise<void> {
  await focusBarRefit()
  press('m')
  press('ArrowRight')
  await focusOn('Bar refit')
  press('Enter')
}

test('each column shows its cards, their number and sum; the page bar shows the forecast', async () => {
  const server = mockServerWith(waitingRoom, barRefit, bikeWall)
  await renderApp('/crm/deals')
  await findCard('Waiting room')
  const heads = screen.getAllByRole('heading', { level: 2 }).map((each) => each.textContent)
  expect(heads.join(', ')).toBe('Lead, Qualified, Proposal, Negotiation, Closed Won, Closed Lost')
  expect(head('Lead').textContent).toBe('Lead2£18,500')
  expect(head('Proposal').textContent).toBe('Proposal1£26,400')
  expect(columnOf('Waiting room')).toBe('proposal')
  expect(card('Waiting room').textContent).toContain('Quillstone Dental')
  expect(within(card('Bar refit')).getByText(/Overdue/)).toBeTruthy()
  expect(within(card('Waiting room')).queryByText(/Overdue/)).toBeNull()
  expect(screen.getByText('3 · forecast £22,450')).toBeTruthy()
  const lead = server.requestsTo('GET /api/deals').find(({ query }) => query['filter']?.includes('"lead"'))
  expect(lead?.query).toMatchObject({ sort: 'changed', order: 'desc', filter: '[{"field":"stage","is":["lead"]}]' })
})

test('Space lifts a card, arrows carry it and Space drops it: only the stage is sent, and the toast offers Undo', async () => {
  const server = mockServerWith(waitingRoom, barRefit)
  await renderApp('/crm/deals')
  await focusBarRefit()
  press(' ')
  expect(screen.getByText(/“Bar refit” is lifted from Lead/)).toBeTruthy()
  press('ArrowRight')
  expect(columnOf('Bar refit')).toBe('qualified')
  expect(screen.getByText('“Bar refit” is over Qualified.')).toBeTruthy()
  expect(head('Qualified').textContent).toBe('Qualified1£18,500')
  await focusOn('Bar refit')
  press('ArrowRight')
  await focusOn('Bar refit')
  expect(patches(server)).toEqual([])
  press(' ')
  expect(screen.getByText('“Bar refit” was moved to Proposal.')).toBeTruthy()
  expect(await screen.findByText('Deal updated')).toBeTruthy()
  expect(screen.getByText('Moved to Proposal: “Bar refit”')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  expect(patches(server)).toEqual([{ stage: 'proposal' }])
  await waitFor(() => expect(head('Proposal').textContent).toBe('Proposal2£44,900'))
  expect(columnOf('Bar refit')).toBe('proposal')
  expect(document.activeElement).toBe(card('Bar refit'))
})

test('Escape returns a lifted card to its column and sends nothing', async () => {
  const server = mockServerWith(waitingRoom, barRefit)
  await renderApp('/crm/deals')
  await focusBarRefit()
  press(' ')
  press('ArrowRight')
  await focusOn('Bar refit')
  press('Escape')
  expect(columnOf('Bar refit')).toBe('lead')
  expect(screen.getByText('“Bar refit” stays in Lead.')).toBeTruthy()
  await focusOn('Bar refit')
  expect(patches(server)).toEqual([])
})

test('a refused move returns the card to its column and shows the reason', async () => {
  const server = mockServerWith(barRefit)
  server.setHandlers({ 'PATCH /api/deals/{id}': () => problemResponse('internal') })
  await renderApp('/crm/deals')
  await moveBarRefit()
  expect(columnOf('Bar refit')).toBe('qualified')
  expect((await screen.findByRole('alert')).textContent).toBe(
    '“Bar refit” was not movedSomething went wrong on our side. Nothing was changed.',
  )
  expect(screen.getByText('“Bar refit” was not moved to Qualified. It stays where it was.')).toBeTruthy()
  expect(screen.queryByText('“Bar refit” was moved to Qualified.')).toBeNull()
  await waitFor(() => expect(columnOf('Bar refit')).toBe('lead'))
  expect(head('Lead').textContent).toBe('Lead1£18,500')
})

const waitForTotals = () => waitFor(() => expect(queries.isFetching({ queryKey: [dealsTable, 'totals'] })).toBe(0))
const regionsAfterMove = () => [
  screen.getByRole('region', { name: 'Lead, 0 deals' }),
  screen.getByRole('region', { name: 'Qualified, 1 deal' }),
]

test('a move is counted once when the totals arrive before the cards', async () => {
  const server = mockServerWith(barRefit)
  await renderApp('/crm/deals')
  await findCard('Bar refit')
  const cards = Promise.withResolvers<undefined>()
  const qualified = { rows: [DealRow.parse({ ...barRefit, stage: 'qualified' })], next: null }
  server.setHandlers({
    'GET /api/deals': async ({ query }) => {
      await cards.promise
      return query['filter']?.includes('"qualified"') ? qualified : { rows: [], next: null }
    },
  })
  await moveBarRefit()
  await screen.findByText('Deal updated')
  await waitFor(() => expect(server.requestsTo('GET /api/deals/totals')).toHaveLength(2))
  await waitForTotals()
  expect(regionsAfterMove()).toHaveLength(2)
  expect(head('Qualified').textContent).toBe('Qualified1£18,500')
  cards.resolve(undefined)
  await waitFor(() => expect(queries.isFetching()).toBe(0))
  expect(regionsAfterMove()).toHaveLength(2)
})

test('a move is counted once when its change event arrives before its answer', async () => {
  const server = mockServerWith(barRefit)
  await renderApp('/crm/deals')
  await findCard('Bar refit')
  await waitForTotals()
  const answer = Promise.withResolvers<undefined>()
  const moved = { ...barRefit, stage: 'qualified' as const, version: 4 }
  const totals = [{ stage: 'qualified' as const, count: 1, value: 18_500, forecast: 4625 }]
  server.setHandlers({
    'PATCH /api/deals/{id}': async () => {
      await answer.promise
      return changeResponse(change, moved)
    },
    'GET /api/deals': ({ query }) => ({ rows: query['filter']?.includes('"qualified"') ? [DealRow.parse(moved)] : [], next: null }),
    'GET /api/deals/totals': { stages: stages.map((stage) => totals.find((each) => each.stage === stage) ?? emptyTotal(stage)) },
  })
  await moveBarRefit()
  void refreshTables([dealsTable])
  await waitFor(() => expect(queries.isFetching({ queryKey: [dealsTable, 'pages'] })).toBe(0))
  expect(regionsAfterMove()).toHaveLength(2)
  answer.resolve(undefined)
  await screen.findByText('Deal updated')
  await waitFor(() => expect(queries.isFetching()).toBe(0))
  expect(regionsAfterMove()).toHaveLength(2)
})

const emptyTotal = (stage: Stage) => ({ stage, count: 0, value: 0, forecast: 0 })

test('j and the arrow keys move the cursor from card to card, and Enter opens the deal', async () => {
  mockServerWith(barRefit, bikeWall, waitingRoom)
  const { router } = await renderApp('/crm/deals?search=oak')
  await findCard('Bar refit')
  for (const [key, title] of [
    ['j', 'Bar refit'],
    ['ArrowDown', 'Bike display wall'],
    ['ArrowRight', 'Waiting room'],
  ] as const) {
    press(key)
    await focusOn(title)
  }
  fireEvent.click(card('Waiting room'))
  await waitFor(() => expect(router.state.location.pathname).toBe(`/crm/deals/${waitingRoom.id}`))
  expect(router.state.location.search).toEqual({ search: 'oak' })
  expect(await screen.findByRole('complementary', { name: 'Deal' })).toBeTruthy()
  expect(columnOf('Waiting room')).toBe('proposal')
})

test('Add deal of a column prefills its stage and keeps the search of the board', async () => {
  const server = mockServerWith(barRefit)
  server.setHandlers({
    'POST /api/deals': ({ body }) =>
      Response.json({ ...barRefit, ...NewDeal.parse(body) }, { status: 201, headers: { 'foyer-change': change } }),
  })
  const { router } = await renderApp('/crm/deals')
  fireEvent.click(await screen.findByRole('link', { name: 'Add deal in Negotiation' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add deal' }))
  expect(dialog.getByRole<HTMLInputElement>('combobox', { name: 'Stage' }).value).toBe('Negotiation')
  fireEvent.change(dialog.getByRole('textbox', { name: 'Title' }), { target: { value: 'Key wall' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Save deal' }))
  expect(await screen.findByText('Deal created')).toBeTruthy()
  expect(server.requestsTo('POST /api/deals')[0]?.body).toEqual({ title: 'Key wall', stage: 'negotiation' })
  await waitFor(() => expect(router.state.location.pathname).toBe('/crm/deals'))
})

test('a deleted deal disappears from the board at once', async () => {
  const server = mockServerWith(barRefit, bikeWall)
  await renderApp('/crm/deals')
  await focusBarRefit()
  press('#')
  await waitFor(() => expect(screen.queryByRole('link', { name: /^Bar refit/ })).toBeNull())
  expect(await screen.findByText('Deal deleted')).toBeTruthy()
  expect(server.requestsTo('DELETE /api/deals/{id}')[0]?.params).toEqual({ id: barRefit.id })
})

test('a column that could not be loaded shows the reason and can be retried', async () => {
  const server = mockServerWith(barRefit, waitingRoom)
  const nothing = { rows: [], next: null }
  server.setHandlers({ 'GET /api/deals': ({ query }) => (query['filter']?.includes('"lead"') ? problemResponse('not_ready') : nothing) })
  await renderApp('/crm/deals')
  const column = within(await screen.findByRole('region', { name: 'Lead, 1 deal' }))
  expect(await column.findByRole('alert')).toBeTruthy()
  server.setHandlers({ 'GET /api/deals': { rows: [DealRow.parse(barRefit)], next: null } })
  fireEvent.click(column.getByRole('button', { name: 'Try again' }))
  expect(await column.findByRole('link', { name: /^Bar refit/ })).toBeTruthy()
})

test('a board without deals explains what deals are for', async () => {
  mockServerWith()
  await renderApp('/crm/deals')
  expect(await screen.findByRole('heading', { name: 'No deals yet' })).toBeTruthy()
  expect(screen.queryByRole('heading', { name: 'Lead' })).toBeNull()
})

test('the switch shows the list, and the address keeps that', async () => {
  mockServerWith(barRefit, waitingRoom)
  const { router } = await renderApp('/crm/deals')
  await findCard('Bar refit')
  fireEvent.click(screen.getByRole('link', { name: 'List' }))
  expect(await screen.findByRole('columnheader', { name: /Close date/ })).toBeTruthy()
  expect(router.state.location.search).toEqual({ as: 'list' })
})
