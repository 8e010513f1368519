import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { TimelineEntry } from '#contract/changes.ts'
import { nora, renderApp } from '#web/testing.ts'
import { barRefit, bikeWall, changeId, setElementSize, mockServerWith, waitingRoom } from './testing.ts'

beforeEach(setElementSize)

const findPanel = async () => within(await screen.findByRole('complementary', { name: 'Deal' }))
const press = (key: string): boolean => fireEvent.keyDown(document.activeElement ?? document.body, { key })
/** An entry of the timeline, one minute old: the deal moved to Proposal, and its value changed. */
const entry: TimelineEntry = {
  change: changeId,
  at: new Date(Date.now() - 60_000).toISOString(),
  actor: `user:${nora.user.id}`,
  actor_name: null,
  label: 'Changed a deal',
  reversal: null,
  table: 'deals',
  operation: 'updated',
  columns: [
    { name: 'stage', before: 'qualified', after: 'proposal' },
    { name: 'value', before: 24_000, after: 26_400 },
  ],
}

test('the panel shows the fields of a deal, its value in the forecast and its timeline', async () => {
  const server = mockServerWith(waitingRoom)
  server.setHandlers({ 'GET /api/changes': { rows: [entry], next: null } })
  await renderApp(`/crm/deals/${waitingRoom.id}`)
  const panel = await findPanel()
  expect(await panel.findByRole('heading', { name: 'Waiting room' })).toBeTruthy()
  await panel.findByText('since today')
  const facts = panel.getAllByRole('definition').map(({ textContent }) => textContent)
  expect(facts[0]).toBe('Proposalsince today') // the stage, then a remark
  expect(facts.slice(1, 3)).toEqual(['£26,400', '50% counts as £13,200 in the forecast'])
  expect(facts[3]).toMatch(/^\d+ \w+( \d{4})?in 13 days$/)
  expect(facts.slice(4)).toEqual(['Imara Vantongeren', 'Quillstone Dental', 'Oak', 'Oak veneer, matt.'])
  expect(panel.getByRole('link', { name: 'Imara Vantongeren' }).getAttribute('href')).toBe(`/crm/contacts/${waitingRoom.contact_id}`)
  expect(panel.getByRole('link', { name: 'Quillstone Dental' }).getAttribute('href')).toBe(`/crm/companies/${waitingRoom.company_id}`)
  expect(panel.getByText('Oak veneer, matt.')).toBeTruthy()
  const activity = within(panel.getByRole('region', { name: 'Activity' }))
  // three lines: the stage, the value, and the actor with the time
  expect(activity.getByRole('listitem').textContent).toMatch(/^Stage changed to ProposalValue changed to £26,400You · /)
})

test('the stage is changed in the menu of the panel', async () => {
  const server = mockServerWith(waitingRoom)
  await renderApp(`/crm/deals/${waitingRoom.id}`)
  const panel = await findPanel()
  fireEvent.click(await panel.findByRole('button', { name: 'Stage: Proposal. Change' }))
  fireEvent.click(await screen.findByRole('menuitemradio', { name: 'Closed Won' }))
  expect(panel.getByRole('button', { name: 'Stage: Closed Won. Change' })).toBeTruthy()
  expect(await screen.findByText('Deal updated')).toBeTruthy()
  expect(screen.getByText('Moved to Closed Won: “Waiting room”')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  expect(server.requestsTo('PATCH /api/deals/{id}').map(({ body }) => body)).toEqual([{ stage: 'closed-won' }])
  expect(panel.queryByText(/in the forecast/)).toBeNull()
})

test('the shortcuts j and k open the next and previous deal, Escape closes the panel, and the search of the board stays', async () => {
  mockServerWith(barRefit, bikeWall, waitingRoom)
  const { router } = await renderApp(`/crm/deals/${bikeWall.id}?search=oak`)
  const panel = await findPanel()
  await panel.findByRole('heading', { name: 'Bike display wall' })
  await screen.findByRole('link', { name: /^Waiting room/ })
  press('j')
  expect(await panel.findByRole('heading', { name: 'Waiting room' })).toBeTruthy()
  expect(panel.getByRole('button', { name: 'Next deal' }).hasAttribute('disabled')).toBe(true)
  press('k')
  expect(await panel.findByRole('heading', { name: 'Bike display wall' })).toBeTruthy()
  fireEvent.click(panel.getByRole('button', { name: 'Previous deal' }))
  expect(await panel.findByRole('heading', { name: 'Bar refit' })).toBeTruthy()
  expect(router.history.length).toBe(1) // the panel replaces its entry in the browser history
  press('Escape')
  await waitFor(() => expect(router.state.location.href).toBe('/crm/deals?search=oak'))
  expect(screen.queryByRole('complementary', { name: 'Deal' })).toBeNull()
})

test('the name of the record is announced when the panel shows another one', async () => {
  mockServerWith(barRefit, bikeWall, waitingRoom)
  await renderApp(`/crm/deals/${bikeWall.id}`)
  const panel = await findPanel()
  const announcement = await panel.findByText('Deal: Bike display wall')
  expect(announcement.getAttribute('aria-live')).toBe('polite')
  await screen.findByRole('link', { name: /^Waiting room/ })
  press('j')
  expect(await panel.findByText('Deal: Waiting room')).toBe(announcement) // a change is announced only if its element stays
})

test('the panel can fill the page, and the address contains this choice', async () => {
  mockServerWith(waitingRoom)
  const { router } = await renderApp(`/crm/deals/${waitingRoom.id}`)
  const panel = await findPanel()
  fireEvent.click(panel.getByRole('button', { name: 'Open as page' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ panel: 'page' }))
  fireEvent.click(await panel.findByRole('button', { name: 'Show beside the list' }))
  await waitFor(() => expect(router.state.location.search).toEqual({}))
})

test('the shortcut e opens the edit dialog over the panel, and saving returns to the panel', async () => {
  mockServerWith(waitingRoom)
  const { router } = await renderApp(`/crm/deals/${waitingRoom.id}`)
  await (await findPanel()).findByRole('heading', { name: 'Waiting room' })
  fireEvent.keyDown(document.body, { key: 'e' })
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit deal' }))
  fireEvent.change(dialog.getByRole('textbox', { name: 'Title' }), { target: { value: 'Waiting rooms' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Save deal' }))
  await waitFor(() => expect(router.state.location.pathname).toBe(`/crm/deals/${waitingRoom.id}`))
  expect(await (await findPanel()).findByRole('heading', { name: 'Waiting rooms' })).toBeTruthy()
})

test.each(['ctrlKey', 'altKey'])(
  'a key with %s, which may be a shortcut of the browser, runs no shortcut of the panel',
  async (modifier) => {
    mockServerWith(waitingRoom)
    const { router } = await renderApp(`/crm/deals/${waitingRoom.id}`)
    const panel = await screen.findByRole('complementary', { name: 'Deal' })
    await within(panel).findByRole('heading', { name: 'Waiting room' })
    const isHandled = !fireEvent.keyDown(panel, { key: 'e', [modifier]: true })
    expect([isHandled, router.state.location.pathname]).toEqual([false, `/crm/deals/${waitingRoom.id}`])
  },
)

test('Escape closes the menu of stages but not the panel, even while the button of the menu has the focus', async () => {
  mockServerWith(waitingRoom)
  const { router } = await renderApp(`/crm/deals/${waitingRoom.id}`)
  const button = await (await findPanel()).findByRole('button', { name: 'Stage: Proposal. Change' })
  fireEvent.click(button)
  expect(button.getAttribute('aria-expanded')).toBe('true')
  fireEvent.keyDown(button, { key: 'Escape' })
  expect(button.getAttribute('aria-expanded')).toBe('false')
  expect(router.state.location.pathname).toBe(`/crm/deals/${waitingRoom.id}`)
})

test('"Delete deal" in the menu deletes the deal and closes the panel', async () => {
  const server = mockServerWith(waitingRoom, barRefit)
  const { router } = await renderApp(`/crm/deals/${waitingRoom.id}`)
  const panel = await findPanel()
  fireEvent.click(await panel.findByRole('button', { name: 'More actions' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: /Delete deal/ }))
  expect(await screen.findByText('Deal deleted')).toBeTruthy()
  expect(server.requestsTo('DELETE /api/deals/{id}')[0]?.params).toEqual({ id: waitingRoom.id })
  expect(router.state.location.pathname).toBe('/crm/deals')
})

test('the address of a deal that does not exist shows a message', async () => {
  mockServerWith(barRefit)
  await renderApp(`/crm/deals/${waitingRoom.id}`)
  expect(await (await findPanel()).findByRole('heading', { name: 'This deal is not here' })).toBeTruthy()
})
