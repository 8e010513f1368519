// The history of the owner's records (timeline and recent changes), undo and trash, through HTTP.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Change, RecentChange, TimelineEntry, TrashEntry } from '#contract/changes.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { addFile } from '#server/testing/files.ts'
import { signInAs, type Person } from '#server/testing/people.ts'

let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await openTestApp()
  ada = await signInAs(app, 'ada')
})
afterAll(() => app.stop())

test('each entry of the timeline says whether its change was an undo, a redo, a restore or none of them', async () => {
  const addition = await ada.send({ method: 'POST', url: '/api/contacts', payload: { first_name: 'Ada', last_name: 'Lovelace' } })
  const { id }: { id: string } = addition.json()
  const undoId = await undo(changeOf(addition))
  await undo(undoId)
  const edit = await ada.send({ method: 'PATCH', url: `/api/contacts/${id}`, payload: { title: 'Countess' } })
  await undo(await undo(changeOf(edit)))
  await ada.send({ method: 'DELETE', url: `/api/contacts/${id}` })
  const restoration = await ada.send({ method: 'POST', url: `/api/trash/${id}/restore` })
  await undo(changeOf(restoration))
  const timeline = await ada.send({ url: `/api/changes?record=${id}` })
  const { rows }: { rows: TimelineEntry[] } = timeline.json()
  expect(rows.toReversed().map(({ operation, reversal, label }) => [operation, reversal, label])).toEqual([
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

describe('records with linked records', () => {
  let grace: Person
  const add = async (url: string, payload: object): Promise<string> => (await grace.send({ method: 'POST', url, payload })).json().id
  /** Reads all pages of a timeline; returns a line of text for each entry. */
  const readTimeline = async (record: string, limit = 50): Promise<string[]> => {
    const lines: string[] = []
    let after = ''
    do {
      const response = await grace.send({ url: `/api/changes?record=${record}&limit=${limit}${after && `&after=${after}`}` })
      expect(response.statusCode, response.body).toBe(200)
      const page: { rows: TimelineEntry[]; next: string | null } = response.json()
      lines.push(...page.rows.map(formatEntry))
      after = page.next ?? ''
    } while (after)
    return lines
  }
  const formatEntry = ({ table, operation, columns, linked, reversal }: TimelineEntry): string => {
    const linkedWords = linked ? [linked.title, linked.exists ? '' : 'gone'] : []
    return [reversal, table, operation, ...columns.map(({ name }) => name), ...linkedWords].filter(Boolean).join(' ')
  }
  beforeEach(async () => {
    grace = await signInAs(app, 'grace')
  })

  test('the timeline shows when notes, deals and tasks of a contact are added, deleted or get another status, but no other edits of them', async () => {
    const contact_id = await add('/api/contacts', { first_name: 'Ada', last_name: 'Byron' })
    await add('/api/notes', { contact_id, content: 'Prefers letters.' })
    const deal = await add('/api/deals', { title: 'First engine', contact_id })
    await grace.send({ method: 'PATCH', url: `/api/deals/${deal}`, payload: { stage: 'proposal' } })
    await grace.send({ method: 'PATCH', url: `/api/deals/${deal}`, payload: { value: 7 } })
    const task = await add('/api/tasks', { title: 'Call', contact_id })
    await grace.send({ method: 'PATCH', url: `/api/tasks/${task}`, payload: { status: 'completed' } })
    await grace.send({ method: 'DELETE', url: `/api/tasks/${task}` })
    const linkedLater = await add('/api/tasks', { title: 'Write' })
    await grace.send({ method: 'PATCH', url: `/api/tasks/${linkedLater}`, payload: { contact_id } })
    const expected = [
      'tasks updated contact_id Write',
      'tasks created Write',
      'tasks deleted Call gone',
      'tasks updated status completed_at Call gone',
      'tasks created Call gone',
      'deals updated stage First engine',
      'deals created First engine',
      'notes created Prefers letters.',
      'crm_contacts created',
    ]
    expect(await readTimeline(contact_id)).toEqual(expected)
    expect(await readTimeline(contact_id, 2)).toEqual(expected)
    const stranger = await signInAs(app, 'edsger')
    expect((await stranger.send({ url: `/api/changes?record=${contact_id}` })).statusCode).toBe(404)
  })

  test('the timeline shows one entry when a contact is deleted with its linked records, and one when it is restored', async () => {
    const contact_id = await add('/api/contacts', { first_name: 'Ada', last_name: 'Byron' })
    await add('/api/notes', { contact_id, content: 'Prefers letters.' })
    await add('/api/deals', { title: 'First engine', contact_id })
    const deletion = await grace.send({ method: 'DELETE', url: `/api/contacts/${contact_id}` })
    await grace.send({ method: 'POST', url: `/api/changes/${changeOf(deletion)}/undo` })
    expect(await readTimeline(contact_id)).toEqual([
      'undo crm_contacts created', // the same change restored the note and the deal, which have no entries of their own
      'crm_contacts deleted',
      'deals created First engine',
      'notes created Prefers letters.',
      'crm_contacts created',
    ])
  })

  test('the timeline shows the deals and contacts of a company and the tasks of a deal, but not the contacts who report to a contact', async () => {
    const company_id = await add('/api/companies', { name: 'Difference Works' })
    const deal_id = await add('/api/deals', { title: 'First engine', company_id })
    const manager = await add('/api/contacts', { first_name: 'Ada', last_name: 'Byron', company_id })
    await add('/api/contacts', { first_name: 'Charles', last_name: 'Example', reports_to_id: manager })
    await add('/api/tasks', { title: 'Call', deal_id })
    expect(await readTimeline(company_id)).toEqual(['crm_contacts created Ada Byron', 'deals created First engine', 'companies created'])
    expect(await readTimeline(deal_id)).toEqual(['tasks created Call', 'deals created'])
    expect(await readTimeline(manager)).toEqual(['crm_contacts created'])
  })

  test('after the history is erased, the timeline of a record is empty until the record or a linked one changes', async () => {
    const contact_id = await add('/api/contacts', { first_name: 'Ada', last_name: 'Byron' })
    const task = await add('/api/tasks', { title: 'Call' })
    await grace.send({ method: 'DELETE', url: '/api/changes' })
    await expect.poll(() => readRecentChanges(grace, 1)).toMatchObject([{ label: 'Erased the history for good' }])
    expect([await readTimeline(contact_id), await readTimeline(task)]).toEqual([[], []])
    await add('/api/deals', { title: 'First engine', contact_id })
    expect(await readTimeline(contact_id)).toEqual(['deals created First engine'])
    expect((await ada.send({ url: `/api/changes?record=${contact_id}` })).statusCode).toBe(404)
  })
})

test('the trash names the folder or the contact of a deleted record, even if the folder is deleted too', async () => {
  const grace = await signInAs(app, 'grace')
  const add = async (url: string, payload: object): Promise<string> => (await grace.send({ method: 'POST', url, payload })).json().id
  const remove = (url: string) => grace.send({ method: 'DELETE', url })
  const contact_id = await add('/api/contacts', { first_name: 'Ada', last_name: 'Byron' })
  const note = await add('/api/notes', { contact_id, content: 'Prefers letters.' })
  const folder_id = await add('/api/folders', { name: 'Offers' })
  const nested = await add('/api/folders', { name: 'Old', parent_folder_id: folder_id })
  const [inFolder, attached, atRoot] = [
    await addFile(grace, { file_name: 'in folder.txt', folder_id }),
    await addFile(grace, { file_name: 'attached.txt', contact_id }),
    await addFile(grace, { file_name: 'at root.txt' }),
  ]
  for (const url of [`/api/notes/${note}`, `/api/folders/${nested}`]) await remove(url)
  for (const { id } of [inFolder, attached, atRoot]) await remove(`/api/files/${id}`)
  await remove(`/api/folders/${folder_id}`)
  const { rows }: { rows: TrashEntry[] } = (await grace.send({ url: '/api/trash' })).json()
  const offers = { table: 'folders', title: 'Offers', exists: false }
  const contact = { table: 'crm_contacts', title: 'Ada Byron', exists: true }
  expect(rows.map(({ title, parent }) => [title, parent])).toEqual([
    ['Offers', null],
    ['at root.txt', null],
    ['attached.txt', contact],
    ['in folder.txt', offers],
    ['Old', offers],
    ['Prefers letters.', contact],
  ])
})

test('a restored file whose folder or contact is gone is in the root folder, and a note without its contact stays deleted', async () => {
  const grace = await signInAs(app, 'grace')
  const add = async (url: string, payload: object): Promise<string> => (await grace.send({ method: 'POST', url, payload })).json().id
  const folder_id = await add('/api/folders', { name: 'Offers' })
  const contact_id = await add('/api/contacts', { first_name: 'Ada', last_name: 'Byron' })
  const note = await add('/api/notes', { contact_id, content: 'Prefers letters.' })
  const [inFolder, attached] = [await addFile(grace, { folder_id }), await addFile(grace, { contact_id })]
  const paths = [`files/${inFolder.id}`, `files/${attached.id}`, `notes/${note}`, `folders/${folder_id}`, `contacts/${contact_id}`]
  for (const path of paths) await grace.send({ method: 'DELETE', url: `/api/${path}` })
  const restore = async (id: string): Promise<Change> => (await grace.send({ method: 'POST', url: `/api/trash/${id}/restore` })).json()
  const gone = { why: 'parent_gone' }
  expect((await restore(inFolder.id)).skipped).toEqual([{ ...gone, table: 'files', id: inFolder.id, columns: ['folder_id'] }])
  expect((await restore(attached.id)).skipped).toEqual([{ ...gone, table: 'files', id: attached.id, columns: ['contact_id'] }])
  expect(await restore(note)).toMatchObject({ count: 0, skipped: [{ ...gone, table: 'notes', id: note }] })
  const { rows } = (await grace.send({ url: '/api/files' })).json()
  expect(rows).toMatchObject([
    { id: attached.id, folder_id: null, contact_id: null },
    { id: inFolder.id, folder_id: null, contact_id: null },
  ])
})

test('a recent change shows the current or last title of its first record, and no title after the record was erased for good', async () => {
  const grace = await signInAs(app, 'grace')
  const add = async (url: string, payload: object): Promise<{ id: string; change: string }> => {
    const response = await grace.send({ method: 'POST', url, payload })
    return { id: response.json().id, change: changeOf(response) }
  }
  const contact = await add('/api/contacts', { first_name: 'Ada', last_name: 'Byron' })
  const deal = await add('/api/deals', { title: 'First engine' })
  await grace.send({ method: 'PATCH', url: `/api/contacts/${contact.id}`, payload: { last_name: 'Lovelace' } })
  const note = await add('/api/notes', { contact_id: contact.id, content: 'Prefers letters.' })
  const deletion = await grace.send({ method: 'DELETE', url: `/api/deals/${deal.id}` })
  await grace.send({ method: 'PATCH', url: '/api/profile', payload: { full_name: 'Grace' } })
  const rows = await readRecentChanges(grace, 10)
  const currentContact = { table: 'crm_contacts', id: contact.id, title: 'Ada Lovelace', exists: true, reversal: null }
  const deletedDeal = { table: 'deals', id: deal.id, title: 'First engine', exists: false, reversal: null }
  // newest first; a profile has no title
  expect(rows).toMatchObject([
    { table: 'profiles', id: grace.id, title: '', exists: false },
    { label: 'Deleted 1 deal', ...deletedDeal, change: changeOf(deletion), actor: `user:${grace.id}` },
    { label: 'Added note', table: 'notes', id: note.id, title: 'Prefers letters.', exists: true },
    { label: 'Updated contact', ...currentContact },
    { label: 'Added deal', ...deletedDeal, change: deal.change },
    { label: 'Added contact', ...currentContact, change: contact.change },
  ])
  expect(rows.map(({ at }) => at)).toEqual(
    rows
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  )
  await grace.send({ method: 'POST', url: `/api/changes/${changeOf(deletion)}/undo` })
  expect(await readRecentChanges(grace, 1)).toMatchObject([
    { label: 'Undone: Deleted 1 deal', reversal: 'undo', title: 'First engine', exists: true },
  ])
  await grace.send({ method: 'DELETE', url: `/api/deals/${deal.id}` })
  await grace.send({ method: 'DELETE', url: `/api/trash/${deal.id}` })
  const after = await readRecentChanges(grace, 50)
  expect(after.filter(({ title }) => title === 'First engine')).toEqual([])
  expect(await readRecentChanges(await signInAs(app, 'edsger'), 10)).toEqual([])
})

test('the undo of a change is refused if all its records were erased for good, and otherwise restores the remaining records', async () => {
  const grace = await signInAs(app, 'grace')
  const send = async (method: 'POST' | 'DELETE', url: string, payload?: object) => grace.send({ method, url, ...(payload && { payload }) })
  const add = async (title: string) => send('POST', '/api/deals', { title })
  const [first, second] = [await add('First'), await add('Second')]
  const ids = [first.json().id, second.json().id]
  const deletion = await send('POST', '/api/deals/bulk/delete', { ids })
  await send('DELETE', `/api/trash/${ids[0]}`)
  const [erasure] = await readRecentChanges(grace, 1)
  const nothingLeft = { status: 410, code: 'nothing_left', detail: expect.stringContaining('There is nothing left to undo.') }
  for (const change of [changeOf(first), erasure?.change]) {
    expect((await send('POST', `/api/changes/${change}/undo`)).json()).toMatchObject(nothingLeft)
    expect((await grace.send({ url: `/api/changes/${change}` })).json().undone).toBe(false)
  }
  expect((await send('POST', `/api/changes/${changeOf(deletion)}/undo`)).json()).toMatchObject({ count: 1 })
  expect((await grace.send({ url: '/api/deals' })).json().rows).toMatchObject([{ title: 'Second' }])
})

test('a recent change has the stage to which a deal was moved, but not the other changed columns', async () => {
  const edsger = await signInAs(app, 'edsger')
  const { id } = (await edsger.send({ method: 'POST', url: '/api/deals', payload: { title: 'Second engine' } })).json()
  const payload = { stage: 'proposal', description: 'With gears.' }
  await edsger.send({ method: 'PATCH', url: `/api/deals/${id}`, payload })
  const [move, addition] = await readRecentChanges(edsger, 2)
  expect(move).toMatchObject({ label: 'Updated deal', columns: [{ name: 'stage', before: 'lead', after: 'proposal' }] })
  expect(addition).toMatchObject({ label: 'Added deal', columns: [] })
})

test('a recent change of many records has the title of a selected record, not of a note that was deleted with its contact', async () => {
  const grace = await signInAs(app, 'grace')
  const ids: string[] = []
  for (const first_name of ['Ada', 'Charles']) {
    const addition = await grace.send({ method: 'POST', url: '/api/contacts', payload: { first_name, last_name: 'Example' } })
    ids.push(addition.json().id)
  }
  await grace.send({ method: 'POST', url: '/api/notes', payload: { contact_id: ids[0], content: 'Prefers letters.' } })
  await grace.send({ method: 'POST', url: '/api/contacts/bulk/delete', payload: { ids } })
  const [change] = await readRecentChanges(grace, 1)
  expect(change).toMatchObject({ label: 'Deleted 2 contacts', table: 'crm_contacts', exists: false })
  expect(change?.title).toMatch(/^(Ada|Charles) Example$/)
})

test('a recent change that restores a folder with folders in it has the title of the folder that was deleted', async () => {
  const edsger = await signInAs(app, 'edsger')
  const add = async (name: string, parent_folder_id: string | null): Promise<string> =>
    (await edsger.send({ method: 'POST', url: '/api/folders', payload: { name, parent_folder_id } })).json().id
  const photos = await add('Photos', null)
  const before = await add('Before', photos)
  for (const name of ['Hall', 'Kitchen', 'Stairs']) await add(name, before)
  await edsger.send({ method: 'DELETE', url: `/api/folders/${photos}` })
  await edsger.send({ method: 'POST', url: `/api/trash/${photos}/restore` })
  expect(await readRecentChanges(edsger, 2)).toMatchObject([
    { label: 'Restored', title: 'Photos', exists: true },
    { label: 'Deleted 1 folder', title: 'Photos' },
  ])
})

async function readRecentChanges(person: Person, limit: number): Promise<RecentChange[]> {
  const response = await person.send({ url: `/api/changes/recent?limit=${limit}` })
  expect(response.statusCode, response.body).toBe(200)
  return response.json().rows
}

const changeOf = ({ headers }: Awaited<ReturnType<Person['send']>>): string => String(headers['foyer-change'])

async function undo(changeId: string): Promise<string> {
  const response = await ada.send({ method: 'POST', url: `/api/changes/${changeId}/undo` })
  expect(response.statusCode, response.body).toBe(200)
  return changeOf(response)
}
