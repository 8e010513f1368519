import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { changeResponse, mockServer, renderApp } from '#web/testing.ts'
import { assistantHandlers, makeAnswer, makeQuestion, operatorAi, quietDeals } from '../testing.ts'
import { changeId, newTask, proposal as sharedProposal } from './testing.ts'

/**
 * The shared proposal with another id. The tab stores by this id which changes are ticked, and other tests of the same process untick
 * changes of the shared proposal.
 */
const proposal = { ...sharedProposal, id: sharedProposal.id.replace(/.$/, 'f') }
const applyRoute = 'POST /api/proposals/{id}/apply'

/** Opens the conversation with the proposal, and the editor of its new task. */
async function openEditor() {
  const server = mockServer({
    ...assistantHandlers,
    'GET /api/ai': operatorAi,
    'GET /api/conversations/{id}/messages': { rows: [makeQuestion(), makeAnswer({ proposal_id: proposal.id })], has_more: false },
    'GET /api/proposals/{id}': proposal,
    [applyRoute]: changeResponse(changeId, { ...proposal, state: 'applied', change_id: changeId }),
  })
  await renderApp(`/assistant/${quietDeals.id}`)
  const card = within(await screen.findByRole('region', { name: 'Proposed changes' }))
  const click = (name: string) => fireEvent.click(card.getByRole('button', { name }))
  click(`Edit ${newTask.title}`)
  const title = await card.findByLabelText<HTMLInputElement>(/^Title/)
  return { server, card, click, title }
}

test('more fields are added to an editor without losing what was typed, and nothing is applied before Done', async () => {
  const { server, card, click, title } = await openEditor()
  fireEvent.change(title, { target: { value: 'Measure three sites' } })
  click('More fields')
  expect((await card.findByLabelText<HTMLInputElement>(/^Title/)).value).toBe('Measure three sites')
  expect(card.queryByRole('button', { name: 'More fields' })).toBeNull()
  expect(card.getByText('Press Done in the change that you are editing.')).toBeTruthy()
  click('Apply 3 changes') // what is typed does not belong to the change yet
  expect(server.requestsTo(applyRoute)).toEqual([])
  click('Done')
  await waitFor(() => expect(card.queryByRole('button', { name: 'Done' })).toBeNull())
  click('Apply 3 changes')
  await waitFor(() =>
    expect(server.requestsTo(applyRoute)[0]?.body).toMatchObject({ items: [{}, {}, { fields: { title: 'Measure three sites' } }] }),
  )
})

test('Escape that ends the composition of a word does not close the editor', async () => {
  const { card, title } = await openEditor()
  fireEvent.change(title, { target: { value: '測る' } })
  fireEvent.keyDown(title, { key: 'Escape', isComposing: true })
  expect(card.getByLabelText<HTMLInputElement>(/^Title/).value).toBe('測る')
})
