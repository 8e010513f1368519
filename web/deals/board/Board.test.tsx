import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { DealRow, NewDeal } from '#contract/deals.ts'
import { stages, type Stage } from '#contract/stages.ts'
import { queries, refreshTables } from '#web/lib/queries.ts'
import { changeResponse, problemResponse, renderApp, setWindowWidth } from '#web/testing.ts'
import { dealsTable } from '../kind/queries.ts'
import { barRefit, bikeWall, changeId, setElementSize, mockServerWith, waitingRoom } from '../testing.ts'

beforeEach(setElementSize)

const getCard = (title: string): HTMLElement => screen.getByRole('link', { name: new RegExp(`^${title}`) })
const findCard = (title: string): Promise<HTMLElement> => screen.findByRole('link', { name: new RegExp(`^${title}`) })
/** Returns the stage of the column in which the card is. */
const getStageOfCard = (title: string): string | undefined => getCard(title).closest('section')?.dataset['stage']
/** Returns the element with the label, the number and the sum of a column. */
const getColumnHead = (label: string): HTMLElement => screen.getByRole('heading', { name: label, level: 2 }).parentElement ?? document.body
const waitForFocus = (title: string) => waitFor(() => expect(document.activeElement).toBe(getCard(title)))
const press = (key: string): boolean => fireEvent.keyDown(document.activeElement ?? document.body, { key })
const getUpdateBodies = (server: ReturnType<typeof mockServerWith>) => server.requestsTo('PATCH /api/deals/{id}').map(({ body }) => body)

async function focusBarRefit(): Promise<void> {
  const card = await findCard('Bar refit')
  act(() => card.focus())
}

/** Moves the card from Lead to Qualified by keyboard. */
async function moveBarRefit(): Promise<void> {
  await focusBarRefit()
  press('m')
  press('ArrowRight')
  await waitForFocus('Bar refit')
  press('Enter')
}

test('each column shows its cards, their number and sum; the page bar shows the forecast', async () => {
  const server = mockServerWith(waitingRoom, barRefit, bikeWall)
  await renderApp('/crm/deals')
  await findCard('Waiting room')
  const labels = screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)
  expect(labels.join(', ')).toBe('Lead, Qualified, Proposal, Negotiation, Closed Won, Closed Lost')
  // the label of the stage, the number of its deals and the sum of their values
  expect(getColumnHead('Lead').textContent).toBe('Lead2£18,500')
  expect(getColumnHead('Proposal').textContent).toBe('Proposal1£26,400')
  expect(getStageOfCard('Waiting room')).toBe('proposal')
  expect(getCard('Waiting room').textContent).toContain('Quillstone Dental')
  expect(within(getCard('Bar refit')).getByText(/Overdue/)).toBeTruthy()
  expect(within(getCard('Waiting room')).queryByText(/Overdue/)).toBeNull()
  expect(screen.getByText('3 · forecast £22,450')).toBeTruthy() // the mocked server forecasts half of each value
  const leadRequest = server.requestsTo('GET /api/deals').find(({ query }) => query['filter']?.includes('"lead"'))
  expect(leadRequest?.query).toMatchObject({ sort: 'changed', order: 'desc', filter: '[{"field":"stage","is":["lead"]}]' })
})

test('the sum of a column shows cents when the values of its cards have cents', async () => {
  mockServerWith({ ...waitingRoom, value: 12_500.5 }, barRefit)
  await renderApp('/crm/deals')
  await findCard('Waiting room')
  expect(getColumnHead('Proposal').textContent).toBe('Proposal1£12,500.50')
  expect(getColumnHead('Lead').textContent).toBe('Lead1£18,500')
})

test('Space lifts a card, arrow keys carry it, and Space drops it: only the stage is sent, and the toast offers Undo', async () => {
  const server = mockServerWith(waitingRoom, barRefit)
  await renderApp('/crm/deals')
  await focusBarRefit()
  press(' ')
  expect(screen.getByText(/“Bar refit” is lifted from Lead/)).toBeTruthy()
  press('ArrowRight')
  expect(getStageOfCard('Bar refit')).toBe('qualified')
  expect(screen.getByText('“Bar refit” is over Qualified.')).toBeTruthy()
  expect(getColumnHead('Qualified').textContent).toBe('Qualified1£18,500')
  await waitForFocus('Bar refit')
  press('ArrowRight')
  await waitForFocus('Bar refit')
  expect(getUpdateBodies(server)).toEqual([])
  press(' ')
  expect(screen.getByText('“Bar refit” was moved to Proposal.')).toBeTruthy()
  expect(await screen.findByText('Deal updated')).toBeTruthy()
  expect(screen.getByText('Moved to Proposal: “Bar refit”')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  expect(getUpdateBodies(server)).toEqual([{ stage: 'proposal' }])
  await waitFor(() => expect(getColumnHead('Proposal').textContent).toBe('Proposal2£44,900'))
  expect(getStageOfCard('Bar refit')).toBe('proposal')
  expect(document.activeElement).toBe(getCard('Bar refit'))
})

test('Escape returns a lifted card to its column and sends nothing', async () => {
  const server = mockServerWith(waitingRoom, barRefit)
  await renderApp('/crm/deals')
  await focusBarRefit()
  press(' ')
  press('ArrowRight')
  await waitForFocus('Bar refit')
  press('Escape')
  expect(getStageOfCard('Bar refit')).toBe('lead')
  expect(screen.getByText('“Bar refit” stays in Lead.')).toBeTruthy()
  await waitForFocus('Bar refit')
  expect(getUpdateBodies(server)).toEqual([])
})

test('when a move cannot be saved, the card returns to its column and a toast shows the reason', async () => {
  const server = mockServerWith(barRefit)
  server.setHandlers({ 'PATCH /api/deals/{id}': () => problemResponse('internal') })
  await renderApp('/crm/deals')
  await moveBarRefit()
  expect(getStageOfCard('Bar refit')).toBe('qualified')
  // the title of the toast, then its message
  expect((await screen.findByRole('alert')).textContent).toBe(
    '“Bar refit” was not movedSomething went wrong on our side. Nothing was changed.',
  )
  expect(screen.getByText('“Bar refit” was not moved to Qualified. It stays where it was.')).toBeTruthy()
  expect(screen.queryByText('“Bar refit” was moved to Qualified.')).toBeNull()
  await waitFor(() => expect(getStageOfCard('Bar refit')).toBe('lead'))
  expect(getColumnHead('Lead').textContent).toBe('Lead1£18,500')
})

/** Waits until the totals of the columns are loaded. */
const waitForTotals = () => waitFor(() => expect(queries.isFetching({ queryKey: [dealsTable, 'totals'] })).toBe(0))
/** Requires that the columns show the move of one deal from Lead to Qualified. */
const expectCountsAfterMove = (): void => {
  expect(screen.getByRole('region', { name: 'Lead, 0 deals' })).toBeTruthy()
  expect(screen.getByRole('region', { name: 'Qualified, 1 deal' })).toBeTruthy()
}

test('a move is counted once when the totals arrive before the cards', async () => {
  const server = mockServerWith(barRefit)
  await renderApp('/crm/deals')
  await findCard('Bar refit')
  const cards = Promise.withResolvers<undefined>() // until it is resolved below, no cards are loaded after the move
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
  expectCountsAfterMove()
  expect(getColumnHead('Qualified').textContent).toBe('Qualified1£18,500')
  cards.resolve(undefined)
  await waitFor(() => expect(queries.isFetching()).toBe(0))
  expectCountsAfterMove()
})

test('a move is counted once when its change event arrives before its response', async () => {
  const server = mockServerWith(barRefit)
  await renderApp('/crm/deals')
  await findCard('Bar refit')
  await waitForTotals()
  const response = Promise.withResolvers<undefined>()
  const movedDeal = { ...barRefit, stage: 'qualified' as const, version: 4 }
  const totals = [{ stage: 'qualified' as const, count: 1, value: 18_500, forecast: 4625 }]
  server.setHandlers({
    'PATCH /api/deals/{id}': async () => {
      await response.promise
      return changeResponse(changeId, movedDeal)
    },
    'GET /api/deals': ({ query }) => ({ rows: query['filter']?.includes('"qualified"') ? [DealRow.parse(movedDeal)] : [], next: null }),
    'GET /api/deals/totals': { stages: stages.map((stage) => totals.find((each) => each.stage === stage) ?? makeEmptyTotal(stage)) },
  })
  await moveBarRefit()
  void refreshTables([dealsTable]) // what the application does after a change event
  await waitFor(() => expect(queries.isFetching({ queryKey: [dealsTable, 'pages'] })).toBe(0))
  expectCountsAfterMove()
  response.resolve(undefined)
  await screen.findByText('Deal updated')
  await waitFor(() => expect(queries.isFetching()).toBe(0))
  expectCountsAfterMove()
})

const makeEmptyTotal = (stage: Stage) => ({ stage, count: 0, value: 0, forecast: 0 })

test('the key j and the arrow keys move the cursor from card to card, and a click opens the deal over the board', async () => {
  mockServerWith(barRefit, bikeWall, waitingRoom)
  const { router } = await renderApp('/crm/deals?search=oak')
  await findCard('Bar refit')
  for (const [key, title] of [
    ['j', 'Bar refit'],
    ['ArrowDown', 'Bike display wall'],
    ['ArrowRight', 'Waiting room'],
  ] as const) {
    press(key)
    await waitForFocus(title)
  }
  fireEvent.click(getCard('Waiting room'))
  await waitFor(() => expect(router.state.location.pathname).toBe(`/crm/deals/${waitingRoom.id}`))
  expect(router.state.location.search).toEqual({ search: 'oak' })
  expect(await screen.findByRole('complementary', { name: 'Deal' })).toBeTruthy()
  expect(getStageOfCard('Waiting room')).toBe('proposal')
})

test('"Add deal" in a column opens the dialog with the stage of the column, and saving returns to the board', async () => {
  const server = mockServerWith(barRefit)
  server.setHandlers({
    'POST /api/deals': ({ body }) =>
      Response.json({ ...barRefit, ...NewDeal.parse(body) }, { status: 201, headers: { 'foyer-change': changeId } }),
  })
  const { router } = await renderApp('/crm/deals')
  fireEvent.click(await screen.findByRole('link', { name: 'Add deal in Negotiation' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add deal' }))
  expect(dialog.getByRole<HTMLInputElement>('combobox', { name: 'Stage' }).value).toBe('Negotiation')
  fireEvent.change(dialog.getByRole('textbox', { name: 'Title' }), { target: { value: 'Key wall' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Save deal' }))
  expect(await screen.findByText('Deal created')).toBeTruthy()
  expect(server.requestsTo('POST /api/deals')[0]?.body).toMatchObject({ title: 'Key wall', stage: 'negotiation' })
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

test('a column that could not be loaded shows the reason and a button that loads it again', async () => {
  const server = mockServerWith(barRefit, waitingRoom)
  const emptyPage = { rows: [], next: null }
  server.setHandlers({ 'GET /api/deals': ({ query }) => (query['filter']?.includes('"lead"') ? problemResponse('not_ready') : emptyPage) })
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

test('the link "List" shows the deals as a list, and the address contains this choice', async () => {
  mockServerWith(barRefit, waitingRoom)
  const { router } = await renderApp('/crm/deals')
  const getCurrentLinks = () =>
    within(screen.getByRole('navigation', { name: 'View' }))
      .getAllByRole('link', { current: 'page' })
      .map((link) => link.title)
  await findCard('Bar refit')
  expect(getCurrentLinks()).toEqual(['Board'])
  fireEvent.click(screen.getByRole('link', { name: 'List' }))
  expect(await screen.findByRole('columnheader', { name: /Close date/ })).toBeTruthy()
  expect(router.state.location.search).toEqual({ as: 'list' })
  expect(getCurrentLinks()).toEqual(['List'])
  await act(() => router.navigate({ to: '/crm/deals/$id', params: { id: barRefit.id }, search: { as: 'list' } }))
  expect(getCurrentLinks()).toEqual(['List'])
})

test('in a window below 1440 px the board collapses the sidebar until the user opens it there; other pages keep it as it was', async () => {
  setWindowWidth(1439)
  mockServerWith(waitingRoom)
  const { router } = await renderApp('/crm/deals?as=list')
  const findCollapseButton = () => screen.findByRole('button', { name: 'Collapse sidebar' })
  const findExpandButton = () => screen.findByRole('button', { name: 'Expand sidebar' })
  await findCollapseButton() // so the sidebar is open on the list
  await act(() => router.navigate({ to: '/crm/deals' }))
  await findCard('Waiting room')
  fireEvent.click(await findExpandButton()) // the board has collapsed it, and the user opens it
  await findCollapseButton()
  expect(document.cookie).toContain('sidebar-beside=open')
  fireEvent.click(await findCollapseButton())
  await act(() => router.navigate({ to: '/crm/deals', search: { as: 'list' } }))
  await findCollapseButton() // still open on the list
  await act(() => router.navigate({ to: '/crm/deals' }))
  await findExpandButton() // still collapsed on the board
  document.cookie = 'sidebar-beside=; path=/; max-age=0' // deletes the cookie for the other tests
})

test('at 1440 px the sidebar stays open on the board', async () => {
  setWindowWidth(1440)
  mockServerWith(waitingRoom)
  await renderApp('/crm/deals')
  await findCard('Waiting room')
  expect(screen.getByRole('button', { name: 'Collapse sidebar' })).toBeTruthy()
})
