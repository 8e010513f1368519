import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TimelineEntry } from '#contract/changes.ts'
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

const changeOf = ({ headers }: Awaited<ReturnType<Person['ask']>>): string => String(headers['foyer-change'])

async function undo(change: string): Promise<string> {
  const answer = await ada.ask({ method: 'POST', url: `/api/changes/${change}/undo` })
  expect(answer.statusCode, answer.body).toBe(200)
  return changeOf(answer)
}
