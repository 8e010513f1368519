// The checklist of the first steps, such as adding a contact, which the dashboard shows to new users beside its tiles.
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { SignedIn } from '#contract/accounts.ts'
import type { FirstStepName } from '#contract/dashboard.ts'
import { actions } from '#web/lib/actions.ts'
import { queries } from '#web/lib/queries.ts'
import { changeResponse, nora, problemResponse, renderApp } from '#web/testing.ts'
import { filledDashboard, findTile, mockServerWith } from './testing.ts'

const changeId = '01930000-0000-7000-8000-0000000000e1'
const dashboardWith = (...first_steps_done: FirstStepName[]) => ({ ...filledDashboard, first_steps_done })
const noraWith = (first_steps_hidden: boolean): SignedIn => ({ ...nora, profile: { ...nora.profile, first_steps_hidden, version: 2 } })
const findSteps = () => screen.findByRole('region', { name: 'First steps' })
/** Opens the dashboard as after a reload. */
const openAgain = async (): Promise<void> => {
  cleanup()
  queries.clear()
  await renderApp('/dashboard')
}

test('the checklist shows which steps are done and links each step to its action', async () => {
  mockServerWith(dashboardWith('contact', 'task'))
  await renderApp('/dashboard')
  const steps = within(await findSteps())
  await steps.findByText('2 of 5')
  const rows = steps.getAllByRole('listitem').map((row) => {
    const { name, address } = { name: row.querySelector('h3, a')?.textContent, address: row.querySelector('a')?.getAttribute('href') }
    return [row.textContent?.startsWith('Done:'), name, address]
  })
  expect(rows).toEqual([
    [true, 'Add your first contact', '/crm/contacts/new'],
    [false, 'Add your first company', '/crm/companies/new'],
    [false, 'Put your first deal on the board', '/crm/deals/new'],
    [true, 'Write down what is to be done', '/crm/tasks/new'],
    [false, 'Set your time zone and currency', '/account'],
  ])
  expect(steps.getByRole('link', { name: 'Add company' })).toBeTruthy()
  expect(steps.getByText('A business that your contacts work for.')).toBeTruthy()
})

test('the checklist disappears when the last step is done', async () => {
  const server = mockServerWith(dashboardWith('contact', 'company', 'deal', 'task'))
  await renderApp('/dashboard')
  await within(await findSteps()).findByText('4 of 5')
  server.setHandlers({ 'GET /api/dashboard': dashboardWith('contact', 'company', 'deal', 'task', 'region') })
  await queries.invalidateQueries()
  await waitFor(() => expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull())
  expect(await findTile('Recent activity')).toBeTruthy()
  expect(actions.get().filter(({ label }) => label.includes('first steps'))).toEqual([])
})

test('hiding the checklist is stored in the account, and can be undone', async () => {
  const server = mockServerWith(dashboardWith())
  server.setHandlers({
    'PATCH /api/profile': () => {
      server.setHandlers({ 'GET /api/session': noraWith(true) })
      return changeResponse(changeId, noraWith(true).profile)
    },
  })
  await renderApp('/dashboard')
  fireEvent.click(within(await findSteps()).getByRole('button', { name: 'Hide first steps' }))
  expect(await screen.findByText('First steps hidden')).toBeTruthy()
  expect(server.requestsTo('PATCH /api/profile')[0]?.body).toEqual({ first_steps_hidden: true })
  await waitFor(() => expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull())
  expect(document.activeElement?.id).toBe('content') // the main element has the focus, because the button is gone
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  await openAgain()
  await findTile('Tasks due')
  await waitFor(() => expect(actions.get().map(({ label }) => label)).toContain('Show first steps'))
  expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull()
})

test('an action of the palette shows hidden first steps again', async () => {
  const server = mockServerWith(dashboardWith())
  server.setHandlers({ 'GET /api/session': noraWith(true), 'PATCH /api/profile': changeResponse(changeId, nora.profile) })
  await renderApp('/dashboard')
  const findAction = () => actions.get().find(({ label }) => label === 'Show first steps')
  await waitFor(() => expect(findAction()).toBeTruthy())
  findAction()?.run()
  expect(await findSteps()).toBeTruthy()
  expect(server.requestsTo('PATCH /api/profile')[0]?.body).toEqual({ first_steps_hidden: false })
  expect(actions.get().map(({ label }) => label)).toContain('Hide first steps')
})

test('when hiding fails, the checklist stays and a toast shows the error', async () => {
  const server = mockServerWith(dashboardWith())
  server.setHandlers({ 'PATCH /api/profile': () => problemResponse('internal') })
  await renderApp('/dashboard')
  fireEvent.click(within(await findSteps()).getByRole('button', { name: 'Hide first steps' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Something went wrong on our side.')
  expect(await findSteps()).toBeTruthy()
})

test('while the steps are being loaded, the checklist has the height that it had at the last visit', async () => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(187)
  const server = mockServerWith(dashboardWith('contact'))
  await renderApp('/dashboard')
  await within(await findSteps()).findByText('1 of 5')
  server.setHandlers({ 'GET /api/dashboard': () => new Promise<never>(() => {}) }) // never responds
  await openAgain()
  const loading = await findSteps()
  expect(loading.getAttribute('aria-busy')).toBe('true')
  expect(loading.style.height).toBe('187px')
})
