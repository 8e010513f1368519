// The tools that read: they return short JSON with links, mark untrusted text, and show the user what was read.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { addFile, waitForText } from '#server/testing/files.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf, type ListedRecord } from '#server/testing/records.ts'
import { openTools } from '#server/testing/tools.ts'

const foreignId = '01930000-0000-7000-8000-00000000ffff'

let app: TestApp
let ada: Person
let grace: Person
let imara: ListedRecord
let shelves: ListedRecord
beforeAll(async () => {
  app = await openTestApp()
  ada = await signInAs(app, 'ada')
  grace = await signInAs(app, 'grace')
  imara = await recordsOf(ada, '/api/contacts').add({ first_name: 'Imara', last_name: 'Vantongeren', tags: ['Fair'] })
  const deals = recordsOf(ada, '/api/deals')
  shelves = await deals.add({ title: 'Library shelves for the north wing', value: 31_250, stage: 'proposal', contact_id: imara.id })
  await deals.add({ title: 'Bar refit', value: 18_500, stage: 'lead', description: 'x'.repeat(1000) })
  for (let number = 1; number <= 30; number++) await deals.add({ title: `Window ${number}`, stage: 'qualified', value: 10 })
  await recordsOf(ada, '/api/notes').add({ contact_id: imara.id, content: 'She wants it 40 cm further left.' })
  await recordsOf(grace, '/api/deals').add({ title: 'Library of Grace' })
})
afterAll(() => app.stop())

test('find returns the rows that match, with links, without empty fields, and how many there are', async () => {
  const tools = openTools(app, ada)
  const filter = [{ field: 'stage', is: ['proposal'] }]
  expect(await tools.call('find', { kind: 'deal', search: 'library', filter })).toEqual({
    found: '1',
    list: `foyer:deals?search=library&filter=${encodeURIComponent(JSON.stringify(filter))}`,
    rows: [
      {
        link: `foyer:deal/${shelves.id}`,
        title: 'Library shelves for the north wing',
        value: 31_250,
        stage: 'proposal',
        contact_id: imara.id,
        contact_name: 'Imara Vantongeren',
        created_at: shelves['created_at'],
        updated_at: shelves['updated_at'],
      },
    ],
  })
  expect(tools.steps).toEqual([
    {
      text: 'Searched deals · 1 found',
      count: 1,
      kind: 'deal',
      list: { kind: 'deal', search: 'library', filter },
      records: [{ kind: 'deal', id: shelves.id, title: 'Library shelves for the north wing' }],
      is_failed: false,
    },
  ])
  expect(tools.toolState.hasUntrustedText).toBe(false)
})

test('a filter takes the link of a record in place of its id', async () => {
  const tools = openTools(app, ada)
  const result = await tools.call('find', { kind: 'deal', filter: [{ field: 'contact_id', is: [`foyer:contact/${imara.id}`] }] })
  expect(result).toMatchObject({ found: '1', rows: [{ link: `foyer:deal/${shelves.id}` }] })
  expect(String(result['list'])).toContain(encodeURIComponent(`"is":["${imara.id}"]`))
})

test('find returns at most 20 rows and 8,000 characters, and continues with the cursor', async () => {
  const tools = openTools(app, ada)
  const first = await tools.call('find', { kind: 'deal', sort: 'title' })
  expect(first).toMatchObject({ found: '32' })
  expect(first.rows).toHaveLength(20)
  expect(JSON.stringify(first).length).toBeLessThanOrEqual(8000)
  expect((await tools.call('find', { kind: 'deal', sort: 'title', after: first['next'] })).rows).toHaveLength(12)
})

test('count and sum use the filters of the list, and sum groups by a choice, the largest sum first', async () => {
  const tools = openTools(app, ada)
  expect(await tools.call('count', { kind: 'deal', search: 'window' })).toEqual({ count: '30', list: 'foyer:deals?search=window' })
  const { rows } = await tools.call('sum', { kind: 'deal', field: 'value', group_by: 'stage' })
  expect(rows[0]).toMatchObject({ group: 'proposal', sum: 31_250, count: 1 })
  expect(tools.steps.map(({ text }) => text)).toEqual(['Counted deals · 30', 'Added up the value of deals'])
})

test('read returns all fields of one record, and tags returns the tags of a kind with their numbers', async () => {
  const tools = openTools(app, ada)
  expect(await tools.call('read', { record: `foyer:contact/${imara.id}` })).toMatchObject({
    link: `foyer:contact/${imara.id}`,
    first_name: 'Imara',
    tags: ['Fair'],
  })
  expect(tools.steps).toMatchObject([{ text: 'Read the contact Imara Vantongeren', records: [{ kind: 'contact', id: imara.id }] }])
  expect(await tools.call('tags', { kind: 'contact' })).toEqual({ tags: [{ tag: 'Fair', count: 1 }] })
})

test('notes and descriptions are marked as untrusted, and hasUntrustedText is then true', async () => {
  const notes = openTools(app, ada)
  const { rows } = await notes.call('notes', { contact_id: imara.id })
  expect(rows).toMatchObject([{ content: { untrusted: 'She wants it 40 cm further left.' } }])
  expect(notes.toolState.hasUntrustedText).toBe(true)
  expect(notes.steps).toMatchObject([{ text: 'Read 1 note on Imara Vantongeren', kind: 'note' }])
  const deals = openTools(app, ada)
  const { rows: found } = await deals.call('find', { kind: 'deal', search: 'bar refit' })
  expect(deals.toolState.hasUntrustedText).toBe(false)
  const refit = await deals.call('read', { record: String(found[0]?.['link']) })
  expect(refit['description']).toEqual({ untrusted: 'x'.repeat(1000) })
  expect(deals.toolState.hasUntrustedText).toBe(true)
})

test('a long text of a file is read in parts', async () => {
  const lines = Array.from({ length: 1200 }, (_, number) => `line ${number}`).join('\n')
  const text = lines.padEnd(lines.length | 1, '.') + '🪵'.repeat(4000) // at an odd position, so that a limit lies within a character
  const file = await addFile(ada, { file_name: 'Survey.txt', mime_type: 'text/plain' }, Buffer.from(text))
  await waitForText(ada, file)
  const tools = openTools(app, ada)
  const read = async (from?: number) => tools.call('file_text', { id: `foyer:file/${file.id}`, ...(from && { text_from: from }) })
  const parts: unknown[] = []
  let from: number | undefined
  do {
    const part = await read(from)
    parts.push(part['text'])
    from = typeof part['next_text_from'] === 'number' ? part['next_text_from'] : undefined
  } while (from !== undefined)
  expect(parts.length).toBeGreaterThan(1)
  const texts = parts.map((part) => (typeof part === 'object' && part !== null && 'untrusted' in part ? String(part.untrusted) : ''))
  expect(texts.join('')).toBe(text)
  expect(texts.filter((part) => !part.isWellFormed())).toEqual([])
})

test('the other reading routes are tools too: search, history, folders, dashboard, trash, totals and profile', async () => {
  const tools = openTools(app, ada)
  expect(await tools.call('search', { search: 'vantongeren' })).toMatchObject({
    hits: [{ kind: 'contact', link: `foyer:contact/${imara.id}`, title: 'Imara Vantongeren' }],
  })
  expect((await tools.call('history', { record: `foyer:contact/${imara.id}` })).rows.length).toBeGreaterThan(0)
  const { stages } = await tools.call('deal_totals', { filter: [{ field: 'value', from: 1000 }] })
  expect(stages).toContainEqual(expect.objectContaining({ stage: 'proposal', value: 31_250 }))
  for (const name of ['folders', 'dashboard', 'trash', 'recent_changes', 'views', 'storage', 'profile']) await tools.call(name)
  expect(tools.steps.filter(({ is_failed }) => is_failed)).toEqual([])
})

test.each([
  ['an unknown field', 'find', { kind: 'deal', filter: [{ field: 'color', is: ['red'] }] }, 'This field does not support this condition'],
  ['an unknown sort', 'find', { kind: 'deal', sort: 'color' }, 'sort: Invalid option'],
  ['a sum of a text', 'sum', { kind: 'deal', field: 'title' }, 'field: Invalid option'],
  ['a link without a kind', 'read', { record: 'the shelves' }, 'such as foyer:deal/<id>'],
  ['a malformed id', 'read', { record: 'foyer:deal/1' }, 'There is nothing here, or it is not yours.'],
])('%s is refused with a sentence, and the step is shown as failed', async (_name, tool, input, message) => {
  const tools = openTools(app, ada)
  await expect(tools.call(tool, input)).rejects.toThrow(message)
  expect(tools.steps).toMatchObject([{ is_failed: true }])
})

test('the step of a call names the record by its exact title, also if the title contains $ and {records}', async () => {
  const tools = openTools(app, ada)
  const { id } = await recordsOf(ada, '/api/deals').add({ title: 'Desks for $$ and $& {records}' })
  await tools.call('history', { record: `foyer:deal/${id}` })
  expect(tools.steps).toMatchObject([{ text: expect.stringContaining('Read the history of Desks for $$ and $& {records}') }])
})

test.each([
  ['notes', { contact_id: foreignId }, 'Read notes'],
  ['history', { record: `foyer:deal/${foreignId}` }, 'Read the history'],
  ['file_text', { id: foreignId }, 'Read the file'],
  ['folder_path', { id: foreignId }, 'Looked where the folder is'],
])('the step of a failed call of %s names no record', async (tool, input, text) => {
  const tools = openTools(app, ada)
  await expect(tools.call(tool, input)).rejects.toThrow('not yours')
  expect(tools.steps).toMatchObject([{ is_failed: true, text }])
})

test('records of another owner are not found by any tool', async () => {
  const tools = openTools(app, grace)
  await expect(tools.call('read', { record: `foyer:contact/${imara.id}` })).rejects.toThrow('not yours')
  await expect(tools.call('notes', { contact_id: imara.id })).rejects.toThrow('not yours')
  expect(await tools.call('count', { kind: 'deal' })).toMatchObject({ count: '1' })
})
