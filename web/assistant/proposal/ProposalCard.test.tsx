import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { Proposal, ProposalItem } from '#contract/proposals.ts'
import { queries, refreshTables } from '#web/lib/queries.ts'
import { changeResponse, mockServer, problemResponse, renderApp, setWindowWidth } from '#web/testing.ts'
import { assistantHandlers, makeAnswer, makeQuestion, operatorAi, quietDeals } from '../testing.ts'
import { change, changeId, contactId, counterDeal, dealId, newTask, proposal, rosamund } from './testing.ts'

beforeEach(() => setWindowWidth(1280))

const answer = makeAnswer({ proposal_id: proposal.id })
const applyRoute = 'POST /api/proposals/{id}/apply'
const handlers = {
  ...assistantHandlers,
  'GET /api/ai': operatorAi,
  'GET /api/conversations/{id}/messages': { rows: [makeQuestion(), answer], has_more: false },
  'GET /api/proposals/{id}': proposal,
  'GET /api/changes/{id}': change,
  'POST /api/changes/{id}/undo': () => changeResponse('01930000-0000-7000-8000-0000000000e8', { ...change, label: 'Undo' }),
}
const makeApplied = (items = proposal.items): Proposal => ({
  ...proposal,
  state: 'applied',
  change_id: changeId,
  items: items.map((item) => ({ ...item, decision: 'done' as const })),
})
const applied = changeResponse(changeId, makeApplied())

const open = async () => {
  const rendered = await renderApp(`/assistant/${quietDeals.id}`)
  return { ...rendered, card: within(await screen.findByRole('region', { name: 'Proposed changes' })) }
}
const rowOf = (title: string) => {
  const row = screen.getByRole('checkbox', { name: `Apply: ${title}` }).closest('li')
  if (!row) throw new Error(`No change of ${title}`)
  return within(row)
}
const linesOf = (title: string) =>
  rowOf(title)
    .queryAllByRole('term')
    .map((term) => `${term.textContent}: ${term.nextElementSibling?.textContent}`) // no space is between the value before and after
const click = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

test('each change shows its record as a link, and its values before and after as the lists show them', async () => {
  mockServer(handlers)
  const { card } = await open()
  expect(card.getByRole('heading', { name: '3 changes' })).toBeTruthy()
  expect(card.getByText('all ticked')).toBeTruthy()
  expect(card.getByRole('link', { name: counterDeal.title }).getAttribute('href')).toBe(`/crm/deals/${dealId}`)
  expect(linesOf(counterDeal.title)).toEqual([
    'Stage: ProposalNegotiation',
    'Value: £21,600£19,850',
    'Close date: 9 Dec18 Dec',
    'Company: emptyGristmill Ltd',
  ])
  expect(linesOf(rosamund.title)).toEqual(['Mobile phone: empty+44 7700 900 148'])
  expect(linesOf(newTask.title)).toEqual(['Title: Measure both sites', 'Due date: 23 Nov', 'Deal: Coffee counter, two sites'])
  expect(rowOf(counterDeal.title).getByText('Proposal').closest('del')).toBeTruthy()
})

test('tags that are added and removed are shown, and a deletion says so', async () => {
  const tagged: ProposalItem = { ...rosamund, action: 'tag', fields: { add: ['oak', 'vip'], remove: ['cold'] }, before: { tags: ['cold'] } }
  const deleted: ProposalItem = { ...counterDeal, action: 'delete', fields: {} }
  mockServer({ ...handlers, 'GET /api/proposals/{id}': { ...proposal, items: [tagged, deleted] } })
  const { card } = await open()
  expect(linesOf(rosamund.title)).toEqual(['Add tags: oak, vip', 'Remove tags: cold'])
  expect(rowOf(counterDeal.title).getByText('Will be deleted. It stays in the trash for 30 days.')).toBeTruthy()
  expect(rowOf(counterDeal.title).queryByRole('button', { name: `Edit ${counterDeal.title}` })).toBeNull()
  expect(card.queryByRole('button', { name: /Always allow/ })).toBeNull()
})

test('the ticked changes are applied as they were edited, and the card becomes one line with Undo', async () => {
  const server = mockServer({ ...handlers, [applyRoute]: applied })
  const { card } = await open()
  fireEvent.click(screen.getByRole('checkbox', { name: `Apply: ${rosamund.title}` }))
  expect(card.getByText('2 ticked')).toBeTruthy()
  click(`Edit ${counterDeal.title}`)
  const value = await card.findByLabelText(/^Value/)
  fireEvent.change(value, { target: { value: '20,000.50' } })
  click('Done')
  await waitFor(() => expect(linesOf(counterDeal.title)).toContain('Value: £21,600£20,000.50'))
  click('Apply 2 changes')
  const line = within(await screen.findByRole('region', { name: 'Applied changes' }))
  expect(line.getByText('3 changes applied')).toBeTruthy() // the mocked response says that all three are applied
  expect(server.requestsTo(applyRoute)[0]?.body).toEqual({
    items: [{ key: 'c1', fields: { ...counterDeal.fields, value: 20_000.5 } }, { key: 'c3' }],
  })
  fireEvent.click(line.getByRole('button', { name: 'Show' }))
  expect(line.getByRole('link', { name: rosamund.title })).toBeTruthy()
})

test('Ctrl+Enter applies the changes, and Ctrl+Z undoes them', async () => {
  const server = mockServer({ ...handlers, [applyRoute]: applied })
  const { card } = await open()
  const checkbox = card.getByRole('checkbox', { name: `Apply: ${counterDeal.title}` })
  fireEvent.keyDown(checkbox, { key: 'Enter', ctrlKey: true })
  await screen.findByText('3 changes applied')
  server.setHandlers({
    'GET /api/changes/{id}': { ...change, undone: true },
    'GET /api/proposals/{id}': makeApplied(),
  })
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  await screen.findByText(/and undone/)
  expect(server.requestsTo('POST /api/changes/{id}/undo')[0]?.params).toEqual({ id: changeId })
  expect(screen.queryByRole('region', { name: 'Applied changes' })?.textContent).not.toContain('Undo')
})

test('an applied proposal can be undone after a reload, and once more after a redo in another tab', async () => {
  const items = [newTask, { ...newTask, key: 'c4' }]
  const server = mockServer({ ...handlers, 'GET /api/proposals/{id}': makeApplied(items) })
  await renderApp(`/assistant/${quietDeals.id}`)
  const line = within(await screen.findByRole('region', { name: 'Applied changes' }))
  expect(line.getByText('2 tasks added')).toBeTruthy()
  const button = await line.findByRole('button', { name: 'Undo' })
  server.setHandlers({ 'GET /api/changes/{id}': { ...change, undone: true } })
  fireEvent.click(button)
  expect(await line.findByText(/and undone/)).toBeTruthy()
  const redoId = '01930000-0000-7000-8000-0000000000ea'
  server.setHandlers({ 'GET /api/changes/{id}': { ...change, redo_id: redoId } })
  await act(() => refreshTables(['tasks'])) // as after a live event of the other tab
  fireEvent.click(await line.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(server.requestsTo('POST /api/changes/{id}/undo').at(-1)?.params).toEqual({ id: redoId }))
})

test('an unticked change stays unticked while another conversation is open', async () => {
  mockServer(handlers)
  const { router } = await open()
  fireEvent.click(screen.getByRole('checkbox', { name: `Apply: ${rosamund.title}` }))
  await act(() => router.navigate({ to: '/assistant' }))
  await act(() => router.navigate({ to: '/assistant/$id', params: { id: quietDeals.id } }))
  const checkbox = await screen.findByRole<HTMLInputElement>('checkbox', { name: `Apply: ${rosamund.title}` })
  expect(checkbox.checked).toBe(false)
  fireEvent.click(checkbox) // otherwise the next test begins with these decisions
})

const makeConflict = (version: number, field: string, yours: unknown, theirs: unknown) => ({
  conflict: {
    version,
    actor: 'user:01930000-0000-7000-8000-00000000000a',
    actor_name: null,
    at: '2026-11-20T09:00:30.000Z',
    fields: [{ field, yours, theirs }],
  },
})
const changedElsewhere = 'This was changed somewhere else while you were editing.'

test('each conflict shows both values, and the chosen ones are sent with the versions that were seen', async () => {
  const items = {
    c1: makeConflict(5, 'value', 19_850, 30_000),
    c2: makeConflict(6, 'mobile_phone', '+44 7700 900 148', '+44 7700 900 149'),
  }
  const conflictMessages = { 'items.c1.value': changedElsewhere, 'items.c2.mobile_phone': changedElsewhere }
  const fields = { ...conflictMessages, 'items.c3': 'This deal is no longer here' }
  const server = mockServer({ ...handlers, [applyRoute]: problemResponse('conflict', { items, fields }) })
  await open()
  click('Apply 3 changes')
  await waitFor(() => expect(document.activeElement).toBe(rowOf(counterDeal.title).getByRole('radio', { checked: true })))
  fireEvent.click(await rowOf(counterDeal.title).findByRole('radio', { name: /£30,000/ }))
  expect(screen.getByText('Nothing was changed. 3 changes need another look.')).toBeTruthy()
  expect(rowOf(newTask.title).getByText('This deal is no longer here')).toBeTruthy()
  fireEvent.click(screen.getByRole('checkbox', { name: `Apply: ${newTask.title}` }))
  fireEvent.click(rowOf(rosamund.title).getByRole('radio', { name: /900 149/ }))
  expect(screen.getByRole('button', { name: 'Apply 1 change' })).toBeTruthy() // the contact keeps its saved value
  fireEvent.click(rowOf(rosamund.title).getByRole('radio', { name: /900 148/ }))
  server.setHandlers({ [applyRoute]: applied })
  click('Apply 2 changes')
  await screen.findByRole('region', { name: 'Applied changes' })
  const { value: _value, ...others } = counterDeal.fields
  expect(server.requestsTo(applyRoute)[1]?.body).toEqual({
    items: [
      { key: 'c1', fields: others, version: 5 },
      { key: 'c2', fields: rosamund.fields, version: 6 },
    ],
  })
})

test('what was chosen in a conflict survives a reload and another refusal, and an edit replaces it', async () => {
  const refuse = (key: string, field: string, extras: object = {}) =>
    problemResponse('conflict', { fields: { [`items.${key}.${field}`]: changedElsewhere }, ...extras })
  const server = mockServer({
    ...handlers,
    [applyRoute]: refuse('c1', 'value', { items: { c1: makeConflict(5, 'value', 19_850, 30_000) } }),
  })
  await open()
  click('Apply 3 changes')
  fireEvent.click(await rowOf(counterDeal.title).findByRole('radio', { name: /£30,000/ }))
  server.setHandlers({ [applyRoute]: refuse('c3', 'title') })
  click('Apply 3 changes')
  await rowOf(newTask.title).findByText(changedElsewhere)
  // imitates a reload with another proposal: its decisions are stored in the tab, and are not in memory
  const otherId = '01930000-0000-7000-8000-0000000000f1'
  const [name = '', value = ''] = Object.entries(sessionStorage).find(([key]) => key.endsWith(`proposal ${proposal.id}`)) ?? []
  sessionStorage.setItem(name.replace(proposal.id, otherId), value)
  cleanup()
  queries.clear()
  server.setHandlers({
    'GET /api/conversations/{id}/messages': { rows: [makeQuestion(), { ...answer, proposal_id: otherId }], has_more: false },
    'GET /api/proposals/{id}': { ...proposal, id: otherId },
  })
  const { card } = await open()
  expect(rowOf(counterDeal.title).getByRole<HTMLInputElement>('radio', { name: /£30,000/ }).checked).toBe(true)
  expect(card.getByText('Nothing was changed. One change needs another look.')).toBeTruthy()
  click(`Edit ${counterDeal.title}`)
  fireEvent.change(await card.findByRole('textbox', { name: /^Value/ }), { target: { value: '25,000' } })
  click('Done')
  await waitFor(() => expect(linesOf(counterDeal.title)).toContain('Value: £21,600£25,000'))
  server.setHandlers({ [applyRoute]: applied })
  click('Apply 3 changes')
  await screen.findByRole('region', { name: 'Applied changes' })
  expect(server.requestsTo(applyRoute).at(-1)?.body).toEqual({
    items: [{ key: 'c1', fields: { ...counterDeal.fields, value: 25_000 }, version: 5 }, { key: 'c2' }, { key: 'c3' }],
  })
})

test('a duplicate shows the record that is there already, and can be added anyway', async () => {
  const newContact: ProposalItem = {
    ...newTask,
    kind: 'contact',
    title: 'Rosamund Dunmarrow',
    fields: { first_name: 'Rosamund' },
    link_titles: {},
  }
  const matches = [{ id: contactId, name: 'Rosamund Dunmarrow', email: 'r@gristmill.example', phone: '' }]
  const server = mockServer({
    ...handlers,
    'GET /api/proposals/{id}': { ...proposal, items: [newContact] },
    [applyRoute]: problemResponse('duplicate', { items: { c3: { matches } }, fields: { 'items.c3': 'This seems to be here already.' } }),
  })
  const { card } = await open()
  click('Add 1 contact')
  expect((await card.findByRole('link', { name: 'Rosamund Dunmarrow' })).getAttribute('href')).toBe(`/crm/contacts/${contactId}`)
  click('Add anyway')
  server.setHandlers({ [applyRoute]: changeResponse(changeId, makeApplied([newContact])) })
  click('Add 1 contact')
  expect(await screen.findByText('1 contact added')).toBeTruthy()
  expect(server.requestsTo(applyRoute)[1]?.body).toEqual({ items: [{ key: 'c3', allow_duplicate: true }] })
})

test('a refused field says why below its value, and in the editor', async () => {
  mockServer({ ...handlers, [applyRoute]: problemResponse('invalid', { fields: { 'items.c3.due_date': 'Enter a date' } }) })
  const { card } = await open()
  click('Apply 3 changes')
  expect(await rowOf(newTask.title).findByText('Enter a date')).toBeTruthy()
  click(`Edit ${newTask.title}`)
  const field = await card.findByLabelText(/^Due date/)
  expect(field.getAttribute('aria-invalid')).toBe('true')
})

test('a discarded proposal becomes one line', async () => {
  mockServer({ ...handlers, 'POST /api/proposals/{id}/discard': { ...proposal, state: 'discarded' } })
  await open()
  click('Discard')
  expect(await screen.findByText('3 changes discarded')).toBeTruthy()
})

test('a proposal that another tab has closed shows its new state', async () => {
  const server = mockServer({ ...handlers, [applyRoute]: problemResponse('proposal_closed') })
  await open()
  server.setHandlers({ 'GET /api/proposals/{id}': { ...proposal, state: 'discarded' } })
  click('Apply 3 changes')
  expect(await screen.findByText('3 changes discarded')).toBeTruthy()
})

test('of 200 changes 20 are shown at first, all can be unticked at once, and the rest is shown on demand', async () => {
  const items = Array.from({ length: 200 }, (_, index) => ({ ...newTask, key: `c${index}`, title: `Task ${index}` }))
  mockServer({ ...handlers, 'GET /api/proposals/{id}': { ...proposal, items } })
  const { card } = await open()
  expect(card.getAllByRole('checkbox')).toHaveLength(20)
  expect(card.getByRole('button', { name: 'Add 200 tasks' })).toBeTruthy()
  click('Untick all')
  expect(card.getByRole<HTMLButtonElement>('button', { name: 'Apply' }).disabled).toBe(true)
  click('Show all 200 changes')
  expect(card.getAllByRole('checkbox')).toHaveLength(200)
})

test('a kind of change can be allowed for the conversation, and that can be taken back', async () => {
  const updateRoute = 'PATCH /api/conversations/{id}'
  const allowed_changes = ['update contact']
  const server = mockServer({
    ...handlers,
    'GET /api/proposals/{id}': { ...proposal, items: [rosamund] },
    [updateRoute]: changeResponse(changeId, { ...quietDeals, allowed_changes, version: 2 }),
  })
  const { card } = await open()
  fireEvent.click(await card.findByRole('button', { name: 'Always allow changing contacts in this conversation' }))
  expect(await card.findByText('changing contacts needs no confirmation in this conversation.')).toBeTruthy()
  expect(server.requestsTo(updateRoute)[0]?.body).toEqual({ allowed_changes, version: 1 })
  click('Ask again')
  await waitFor(() => expect(server.requestsTo(updateRoute)[1]?.body).toEqual({ allowed_changes: [], version: 2 }))
})

test('when a proposal cannot be loaded, the user can try again', async () => {
  const server = mockServer({ ...handlers, 'GET /api/proposals/{id}': problemResponse('internal') })
  await renderApp(`/assistant/${quietDeals.id}`)
  expect(await screen.findByText('The proposed changes could not be loaded')).toBeTruthy()
  server.setHandlers({ 'GET /api/proposals/{id}': proposal })
  click('Try again')
  expect(await screen.findByRole('region', { name: 'Proposed changes' })).toBeTruthy()
})
