import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { readLabel, recordsOf, undo } from '#server/testing/records.ts'

let app: TestApp
let ada: Person
let tasks: ReturnType<typeof recordsOf>
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  tasks = recordsOf(ada, '/api/tasks')
})

const readCompletedAt = async (id: string) => (await tasks.get(id))['completed_at']

test('a new task is pending and of medium priority', async () => {
  const { id } = await tasks.add({ title: ' Call ' })
  expect(await tasks.get(id)).toMatchObject({
    title: 'Call',
    description: '',
    status: 'pending',
    priority: 'medium',
    due_date: null,
    completed_at: null,
    contact_id: null,
    contact_name: '',
    deal_id: null,
    deal_title: '',
  })
})

test.each([
  [{}, 'title'],
  [{ title: '' }, 'title'],
  [{ title: 'A', status: 'done' }, 'status'],
  [{ title: 'A', priority: 'urgent' }, 'priority'],
  [{ title: 'A', due_date: 'tomorrow' }, 'due_date'],
  [{ title: 'A', due_date: '0000-01-01' }, 'due_date'],
  [{ title: 'A', due_date: '0026-11-25' }, 'due_date'],
  [{ title: 'A', due_date: '2200-01-01' }, 'due_date'],
  [{ title: 'A', completed_at: '2026-01-01T00:00:00Z' }, 'completed_at'],
])('%j is refused with a message for %s', async (fields, refusedField) => {
  const response = await tasks.post('', fields)
  expect(response.statusCode).toBe(422)
  expect(response.json().fields[refusedField]).toMatch(/\w/)
})

test('the time of completion is set only while the task is completed', async () => {
  const { id } = await tasks.add({ title: 'Call' })
  const { completed_at } = await tasks.edit(id, { status: 'completed' })
  expect(Math.abs(Date.now() - Date.parse(String(completed_at)))).toBeLessThan(60_000)
  expect(await tasks.edit(id, { title: 'Call again' })).toMatchObject({ completed_at })
  expect(await tasks.edit(id, { status: 'completed' })).toMatchObject({ completed_at })
  expect(await tasks.edit(id, { status: 'in-progress' })).toMatchObject({ completed_at: null })
  expect(await tasks.edit(id, { status: 'pending' })).toMatchObject({ completed_at: null })
})

test('the time of completion is set for a task that is added as completed', async () => {
  const { id } = await tasks.add({ title: 'Call', status: 'completed' })
  expect(await readCompletedAt(id)).toMatch(/^\d{4}-/)
})

test('the time of completion is cleared by undo and restored unchanged by redo', async () => {
  const { id } = await tasks.add({ title: 'Call' })
  const completion = await tasks.patch(id, { status: 'completed' })
  const { completed_at } = await tasks.get(id)
  const undoChange = await undo(ada, completion)
  expect(await tasks.get(id)).toMatchObject({ status: 'pending', completed_at: null })
  await undo(ada, undoChange)
  expect(await tasks.get(id)).toMatchObject({ status: 'completed', completed_at })
  const reopeningEdit = await tasks.patch(id, { status: 'pending' })
  await undo(ada, reopeningEdit)
  expect(await tasks.get(id)).toMatchObject({ status: 'completed', completed_at })
  const deletion = await tasks.remove(id)
  await undo(ada, deletion)
  expect(await tasks.get(id)).toMatchObject({ status: 'completed', completed_at })
})

test('the time of completion is not changed by a bulk edit for tasks that were already completed', async () => {
  const completed = await tasks.add({ title: 'Completed', status: 'completed' })
  const pending = await tasks.add({ title: 'Pending' })
  const timeBefore = await readCompletedAt(completed.id)
  const completion = await tasks.post('/bulk/edit', { matching: {}, fields: { status: 'completed' } })
  expect(await readCompletedAt(completed.id)).toBe(timeBefore)
  expect(await readCompletedAt(pending.id)).toMatch(/^\d{4}-/)
  await undo(ada, completion)
  expect([await readCompletedAt(completed.id), await readCompletedAt(pending.id)]).toEqual([timeBefore, null])
  await tasks.post('/bulk/edit', { matching: {}, fields: { status: 'pending' } })
  expect([await readCompletedAt(completed.id), await readCompletedAt(pending.id)]).toEqual([null, null])
})

test('the time of completion is not part of the conflict when two edits from the same version change the status', async () => {
  const { id } = await tasks.add({ title: 'Call' })
  await tasks.edit(id, { status: 'completed', version: 1 })
  expect(await tasks.edit(id, { status: 'completed', version: 1 })).toMatchObject({ status: 'completed' })
  const response = await tasks.patch(id, { status: 'in-progress', version: 1 })
  expect(response.json()).toMatchObject({ conflict: { fields: [{ field: 'status', yours: 'in-progress', theirs: 'completed' }] } })
})

test('the label of an edit says whether the task was completed, reopened or only updated', async () => {
  const { id } = await tasks.add({ title: 'Call' })
  const labelOfEdit = async (fields: Record<string, unknown>) => readLabel(ada, await tasks.patch(id, fields))
  expect(await labelOfEdit({ status: 'in-progress' })).toBe('Updated task')
  expect(await labelOfEdit({ status: 'completed', title: 'Call them' })).toBe('Completed task')
  expect(await labelOfEdit({ title: 'Call again', status: 'completed' })).toBe('Updated task')
  expect(await labelOfEdit({ status: 'pending' })).toBe('Reopened task')
  const completion = await tasks.patch(id, { status: 'completed', version: 5 }) // the version after the four edits above
  expect(await readLabel(ada, await undo(ada, completion))).toBe('Undone: Completed task')
  const idOfNoTask = ada.id
  expect((await tasks.patch(idOfNoTask, { status: 'completed' })).statusCode).toBe(404)
})

test('a task shows its contact and deal, has no deal while the deal is deleted, and refuses a deal that does not exist', async () => {
  const contact = await recordsOf(ada, '/api/contacts').add({ first_name: 'Ann', last_name: 'Lee' })
  const deal = await recordsOf(ada, '/api/deals').add({ title: 'Engine' })
  const { id } = await tasks.add({ title: 'Call', contact_id: contact.id, deal_id: deal.id })
  expect((await tasks.list()).rows).toMatchObject([{ contact_name: 'Ann Lee', deal_title: 'Engine' }])
  const deletion = await recordsOf(ada, '/api/deals').remove(deal.id)
  expect(await tasks.get(id)).toMatchObject({ deal_id: null, deal_title: '', contact_name: 'Ann Lee' })
  await undo(ada, deletion)
  expect(await tasks.get(id)).toMatchObject({ deal_id: deal.id, deal_title: 'Engine' })
  const refusal = await tasks.patch(id, { deal_id: contact.id })
  expect(refusal.json()).toMatchObject({ code: 'not_found', fields: { deal_id: 'This deal is no longer here' } })
})

test('a filter finds open tasks that are overdue', async () => {
  await tasks.add({ title: 'Late', due_date: '2001-01-01' })
  await tasks.add({ title: 'Done', due_date: '2001-01-01', status: 'completed' })
  await tasks.add({ title: 'Later', due_date: '2199-12-31', status: 'in-progress' })
  const filter = [
    { field: 'status', is: ['pending', 'in-progress'] },
    { field: 'due_date', is: ['overdue', 'today'] },
  ]
  expect((await tasks.list({ filter, sort: 'due_date' })).rows.map(({ title }) => title)).toEqual(['Late'])
})

test('a filter finds the tasks that were completed on a day or later', async () => {
  await tasks.add({ title: 'Done', due_date: '2001-01-01', status: 'completed' })
  await tasks.add({ title: 'Open' })
  const findTitles = async (from: string) => {
    const filter = [
      { field: 'status', is: ['completed'] },
      { field: 'completed_at', from },
    ]
    return (await tasks.list({ filter })).rows.map(({ title }) => title)
  }
  expect(await findTitles('2001-01-01')).toEqual(['Done'])
  expect(await findTitles('2199-01-01')).toEqual([])
})
