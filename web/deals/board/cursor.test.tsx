import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { DealRow, type Deal } from '#contract/deals.ts'
import { queries, refreshTables } from '#web/lib/queries.ts'
import { makeChangeSet } from '#web/contacts/testing.ts'
import { changeResponse, renderApp } from '#web/testing.ts'
import { dealsTable } from '../kind/queries.ts'
import { barRefit, bikeWall, mockServerWith, setElementSize, waitingRoom } from '../testing.ts'

beforeEach(setElementSize)

const getCard = (title: string): HTMLElement => screen.getByRole('link', { name: new RegExp(`^${title}`) })
const getStageOfCard = (title: string): string | undefined => getCard(title).closest('section')?.dataset['stage']
const waitForFocus = (title: string) => waitFor(() => expect(document.activeElement).toBe(getCard(title)))

/** Opens the board and moves the cursor by keyboard to the card of "Bar refit", which gets the focus. */
async function moveCursorToBarRefit(): Promise<void> {
  await renderApp('/crm/deals')
  await screen.findByRole('link', { name: /^Bar refit/ })
  fireEvent.keyDown(document.body, { key: 'j' })
  await waitForFocus('Bar refit')
}

/** Changes what the server answers, as after changes in another window, and loads the deals again. */
async function loadDealsOfServer(server: ReturnType<typeof mockServerWith>, ...deals: Deal[]): Promise<void> {
  server.setHandlers({
    'GET /api/deals': ({ query }) => ({
      rows: deals.filter(({ stage }) => query['filter']?.includes(`"${stage}"`)).map((deal) => DealRow.parse(deal)),
      next: null,
    }),
  })
  await act(() => refreshTables([dealsTable]))
}

test('when the deal of the cursor is moved elsewhere, its card gets the focus only if it had the focus before', async () => {
  const server = mockServerWith(barRefit, waitingRoom)
  await moveCursorToBarRefit()
  await loadDealsOfServer(server, { ...barRefit, stage: 'qualified' }, waitingRoom)
  await waitFor(() => expect(getStageOfCard('Bar refit')).toBe('qualified'))
  await waitForFocus('Bar refit')
  fireEvent.click(getCard('Bar refit'))
  const closeButton = within(await screen.findByRole('complementary', { name: 'Deal' })).getByRole('button', { name: 'Close' })
  act(() => closeButton.focus())
  await loadDealsOfServer(server, { ...barRefit, stage: 'proposal' }, waitingRoom)
  await waitFor(() => expect(getStageOfCard('Bar refit')).toBe('proposal'))
  expect(document.activeElement).toBe(closeButton)
})

test('when the deal of the cursor is deleted elsewhere, the next card gets the focus only if the deleted card had the focus', async () => {
  const server = mockServerWith(barRefit, bikeWall, waitingRoom)
  await moveCursorToBarRefit()
  await loadDealsOfServer(server, bikeWall, waitingRoom)
  await waitForFocus('Bike display wall')
  const search = screen.getByRole('searchbox')
  act(() => search.focus())
  await loadDealsOfServer(server, waitingRoom)
  await waitFor(() => expect(screen.queryByRole('link', { name: /^Bike display wall/ })).toBeNull())
  expect(getCard('Waiting room').tabIndex).toBe(0) // the cursor has moved
  expect(document.activeElement).toBe(search)
})

test('a card that the user has left by a click beside the cards gets no focus when other deals change', async () => {
  const server = mockServerWith(barRefit, waitingRoom)
  await moveCursorToBarRefit()
  act(() => getCard('Bar refit').blur())
  await loadDealsOfServer(server, barRefit, bikeWall, waitingRoom)
  await screen.findByRole('link', { name: /^Bike display wall/ })
  expect(document.activeElement).toBe(document.body)
})

test('after an undo of a move, the card has the focus, even if its old column is loaded before the other one', async () => {
  const server = mockServerWith(barRefit, waitingRoom)
  await moveCursorToBarRefit()
  const press = (key: string, ctrlKey = false) => fireEvent.keyDown(document.activeElement ?? document.body, { key, ctrlKey })
  press('m')
  press('ArrowRight')
  await waitForFocus('Bar refit')
  press('Enter')
  await screen.findByText('Deal updated')
  await waitFor(() => expect(queries.isFetching()).toBe(0))
  const { promise, resolve } = Promise.withResolvers<void>()
  server.setHandlers({
    'POST /api/changes/{id}/undo': changeResponse('u-1', makeChangeSet({ count: 1 })),
    'GET /api/deals': async ({ query }) => {
      if (query['filter']?.includes('"qualified"')) await promise
      return { rows: query['filter']?.includes('"lead"') ? [DealRow.parse(barRefit)] : [], next: null }
    },
  })
  press('z', true)
  await waitFor(() => expect(screen.getAllByRole('link', { name: /^Bar refit/ })).toHaveLength(2))
  resolve()
  await waitFor(() => expect(screen.getAllByRole('link', { name: /^Bar refit/ })).toHaveLength(1))
  expect(getStageOfCard('Bar refit')).toBe('lead')
  await waitForFocus('Bar refit')
})
