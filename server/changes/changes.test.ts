import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecentChange, TimelineEntry } from '#contract/changes.ts'
import { openTestHouse, type TestHouse } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/cast.ts'

let house: TestHouse
let ada: Person
beforeAll(async () => {
  house = await openTestHouse()
  ada = await signInAs(house, 'ada')
})
afterAll(() => house.stop())

test('the timeline tells undo, redo and restore from work of its own, whatever the labels say', async () => {
  const added = await ada.ask({ method: 'POST', url: '/api/contacts', payload: { first_name: 'Ada', last_name: 'Lovelace' } })
  const { id }: { id: string } = added.json()
  const undone = await undo(changeOf(added))
  await undo(undone)
  const edited = await ada.ask({ method: 'PATCH', url: `/api/contacts/${id}`, payload: { title: 'Countess' } })
  await undo(await undo(changeOf(edited)))
  await ada.ask({ method: 'DELETE', url: `/api/contacts/${id}` })
  const restored = await ada.ask({ method: 'POST', url: `/api/trash/${id}/restore` })
  await undo(changeOf(restored))
  const timeline = await ada.ask({ url: `/api/changes?record=${id}` })
  const { rows }: { rows: TimelineEntry[] } = timeline.json()
  expect(rows.toReversed().map(({ operation, by, label }) => [operation, by, label])).toEqual([
    ['created', null, 'Added contact'],
    ['deleted', 'undo', 'Undone: Added contact'],
    ['created', 'redo', 'Redone: Added contact'],
    ['updated', null, 'Updated contact'],
    ['updated', 'undo', 'Undone: Updated contact'],
    ['updated', 'redo', 'Redone: Updated contact'],
    ['deleted', null, 'Deleted 1 contact'],
    ['created', 'restore', 'Restored'],
    ['deleted', 'undo', 'Undone: Restored'],
  ])
})

test('what happened in the workspace is named by the first record of each change, as it is called now or was at last', async () => {
  const grace = await signInAs(house, 'grace')
  const make = async (url: string, payload: object): Promise<{ id: string; change: string }> => {
    const answer = await grace.ask({ method: 'POST', url, payload })
    return { id: answer.json().id, change: changeOf(answer) }
  }
  const contact = await make('/api/contacts', { first_name: 'Ada', last_name: 'Byron' })
  const deal = await make('/api/deals', { title: 'First engine' })
  await grace.ask({ method: 'PATCH', url: `/api/contacts/${contact.id}`, payload: { last_name: 'Lovelace' } })
  const note = await make('/api/notes', { contact_id: contact.id, content: 'Prefers letters.' })
  const deleted = await grace.ask({ method: 'DELETE', url: `/api/deals/${deal.id}` })
  await grace.ask({ method: 'PATCH', url: '/api/profile', payload: { full_name: 'Grace' } })
  const rows = await recent(grace, 10)
  const contactNow = { table: 'crm_contacts', id: contact.id, title: 'Ada Lovelace', exists: true, by: null }
  const dealThen = { table: 'deals', id: deal.id, title: 'First engine', exists: false, by: null }
  expect(rows).toMatchObject([
    { table: 'profiles', id: grace.id, title: '', exists: false },
    { label: 'Deleted 1 deal', ...dealThen, change: changeOf(deleted), actor: `user:${grace.id}` },
    { label: 'Added note', table: 'notes', id: note.id, title: 'Prefers letters.', exists: true },
    { label: 'Updated contact', ...contactNow },
    { label: 'Added deal', ...dealThen, change: deal.change },
    { label: 'Added contact', ...contactNow, change: contact.change },
  ])
  expect(rows.map(({ at }) => at)).toEqual(
    rows
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  )
  await grace.ask({ method: 'POST', url: `/api/changes/${changeOf(deleted)}/undo` })
  expect(await recent(grace, 1)).toMatchObject([{ label: 'Undone: Deleted 1 deal', by: 'undo', title: 'First engine', exists: true }])
  await grace.ask({ method: 'DELETE', url: `/api/deals/${deal.id}` })
  await grace.ask({ method: 'DELETE', url: `/api/trash/${deal.id}` })
  const after = await recent(grace, 50)
  expect(after.filter(({ title }) => title === 'First engine')).toEqual([])
  expect(await recent(await signInAs(house, 'edsger'), 10)).toEqual([])
})

test('a change of many records is named by the first that it wrote, and what fell with it is not', async () => {
  const grace = await signInAs(house, 'grace')
  const ids: string[] = []
  for (const first_name of ['Ada', 'Charles']) {
    const added = await grace.ask({ method: 'POST', url: '/api/contacts', payload: { first_name, last_name: 'Example' } })
    ids.push(added.json().id)
  }
  await grace.ask({ method: 'POST', url: '/api/notes', payload: { contact_id: ids[0], content: 'Prefers letters.' } })
  await grace.ask({ method: 'POST', url: '/api/contacts/bulk/delete', payload: { ids } })
  const [change] = await recent(grace, 1)
  expect(change).toMatchObject({ label: 'Deleted 2 contacts', table: 'crm_contacts', exists: false })
  expect(change?.title).toMatch(/^(Ada|Charles) Example$/)
})

async function recent(person: Person, limit: number): Promise<RecentChange[]> {
  const answer = await person.ask({ url: `/api/changes/recent?limit=${limit}` })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().rows
}

const changeOf = ({ headers }: Awaited<ReturnType<Person['ask']>>): string => String(headers['foyer-change'])

async function undo(change: string): Promise<string> {
  const answer = await ada.ask({ method: 'POST', url: `/api/changes/${change}/undo` })
  expect(answer.statusCode, answer.body).toBe(200)
  return changeOf(answer)
}
