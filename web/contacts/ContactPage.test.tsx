import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { TimelineEntry } from '#contract/changes.ts'
import { changeResponse, nora, problemResponse, renderApp, mockServer } from '#web/testing.ts'
import { imara, makePage, sunniva } from './testing.ts'

const address = `/crm/contacts/${imara.id}`
/** An entry of the timeline, always three minutes old. */
const entry: TimelineEntry = {
  change: '01930000-0000-7000-8000-0000000000e1',
  get at() {
    return new Date(Date.now() - 3 * 60_000).toISOString()
  },
  actor: `user:${nora.user.id}`,
  actor_name: null,
  label: 'Added contact',
  reversal: null,
  table: 'crm_contacts',
  operation: 'created',
  columns: [],
}
const routes = {
  'GET /api/session': nora,
  'GET /api/contacts/{id}': imara,
  'GET /api/contacts': makePage([imara]),
  'GET /api/contacts/count': { count: 1, more: false },
  'GET /api/changes': { rows: [entry], next: null },
}
/** Returns the text of the field with this label. */
const getFact = (label: string): string => screen.getByText(label, { selector: 'dt' }).parentElement?.querySelector('dd')?.textContent ?? ''

test('the page shows all filled fields, and on demand the empty ones with a dash', async () => {
  mockServer({
    ...routes,
    'GET /api/contacts/{id}': {
      ...imara,
      mailing_street: '14 Chandler’s Row',
      mailing_city: 'Millgate',
      mailing_postal_code: 'MG4 2QT',
      reports_to_id: sunniva.id,
      reports_to_name: 'Sunniva Thackerly',
      raw_data: { Region: 'North', Empty: '', Remarks: 'Two\nlines' },
    },
  })
  await renderApp(address)
  expect(await screen.findByRole('heading', { name: 'Imara Vantongeren' })).toBeTruthy()
  expect(screen.getByText('Practice manager at Quillstone Dental')).toBeTruthy()
  expect(screen.getByRole('link', { name: imara.email }).getAttribute('href')).toBe('mailto:imara@quillstone.example')
  expect(getFact('Phone')).toBe('+44 20 7946 0118')
  expect(screen.queryByText('Mobile phone')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Show 5 empty fields' }))
  expect(getFact('Mobile phone')).toBe('-')
  expect(getFact('Department')).toBe('-')
  expect(getFact('Lead source')).toBe('-')
  expect(getFact('Address')).toBe('14 Chandler’s Row, Millgate, MG4 2QT')
  expect(screen.getByRole('link', { name: 'Sunniva Thackerly' }).getAttribute('href')).toBe(`/crm/contacts/${sunniva.id}`)
  expect(screen.getByRole('heading', { name: 'Additional data' })).toBeTruthy()
  expect(getFact('Region')).toBe('North')
  expect(getFact('Remarks')).toBe('Two\nlines')
  expect(screen.queryByText('Empty')).toBeNull()
  expect(screen.getByRole('link', { name: 'Edit contact' }).getAttribute('href')).toBe(`/crm/contacts/edit/${imara.id}`)
  expect(document.title).toBe('Imara Vantongeren - Foyer')
})

test('the card shows the values that a merge did not keep', async () => {
  // an id is not shown, because it says nothing to the user; the entry without values below adds nothing
  const values = { title: 'Reception', tags: ['Dental'], reports_to_id: sunniva.id }
  mockServer({
    ...routes,
    'GET /api/contacts/{id}': { ...imara, raw_data: { merged_contacts: [{ id: sunniva.id, values }, { id: 'x' }] } },
  })
  await renderApp(address)
  const section = (await screen.findByRole('heading', { name: 'Not kept in a merge' })).closest('section')
  expect(section?.textContent).toBe('Not kept in a mergeTitleReceptionTagsDental')
  expect(screen.queryByRole('heading', { name: 'Additional data' })).toBeNull()
})

test('the header has links to call and to send an email', async () => {
  mockServer({ ...routes, 'GET /api/contacts/{id}': { ...imara, phone: '', mobile_phone: '+44 7700 900 118' } })
  await renderApp(address)
  expect((await screen.findByRole('link', { name: 'Call' })).getAttribute('href')).toBe('tel:+447700900118')
  expect(screen.getByRole('link', { name: 'Email' }).getAttribute('href')).toBe('mailto:imara@quillstone.example')
})

test('the timeline shows each change with its actor and its age, and a button loads older changes', async () => {
  const change: TimelineEntry = {
    ...entry,
    change: '01930000-0000-7000-8000-0000000000e2',
    actor: 'api_key:01930000-0000-7000-8000-0000000000e9',
    actor_name: 'Website',
    label: 'Updated contact',
    operation: 'updated',
    columns: [{ name: 'phone', before: '', after: '+44 20 7946 0118' }],
  }
  const server = mockServer({
    ...routes,
    'GET /api/changes': ({ query }) => (query['after'] ? { rows: [entry], next: null } : { rows: [change], next: 'older' }),
  })
  await renderApp(address)
  const timeline = within(await screen.findByRole('complementary', { name: 'Timeline' }))
  const [first] = await timeline.findAllByRole('listitem')
  // two lines of the entry
  expect(first?.textContent).toBe('Phone changed to +44 20 7946 0118API key Website · 3 minutes ago')
  fireEvent.click(timeline.getByRole('button', { name: 'Load more' }))
  expect(await timeline.findByText('Contact created')).toBeTruthy()
  expect(server.requestsTo('GET /api/changes').at(-1)?.query).toMatchObject({ record: imara.id, after: 'older' })
  expect(timeline.queryByRole('button')).toBeNull()
})

test('the timeline includes changes of notes, deals and tasks of the contact', async () => {
  /** Creates an entry about a linked record. The id of the record ends with the length of its title. */
  const makeLinkedEntry = (table: string, title: string, more: Partial<TimelineEntry> & { exists?: boolean } = {}): TimelineEntry => ({
    ...entry,
    table,
    linked: { id: `01930000-0000-7000-8000-${String(title.length).padStart(12, '0')}`, title, exists: more.exists ?? true, parent: null },
    ...more,
  })
  const makeUpdate = (name: string, before: unknown, after: unknown): Partial<TimelineEntry> => ({
    operation: 'updated',
    columns: [{ name, before, after }],
  })
  mockServer({
    ...routes,
    'GET /api/changes': {
      rows: [
        makeLinkedEntry('notes', 'Prefers letters'),
        makeLinkedEntry('deals', 'First engine', makeUpdate('stage', 'lead', 'proposal')),
        // `change` is any other id than in the entry above, because this is another change
        makeLinkedEntry('deals', 'First engine', { ...makeUpdate('stage', 'proposal', 'lead'), reversal: 'undo', change: imara.id }),
        makeLinkedEntry('deals', 'Second engine', makeUpdate('contact_id', null, imara.id)),
        makeLinkedEntry('deals', 'An older engine', makeUpdate('stage', null, null)), // the values are no longer stored
        makeLinkedEntry('tasks', 'Call', makeUpdate('status', 'pending', 'completed')),
        makeLinkedEntry('tasks', 'Write', { operation: 'deleted', exists: false }),
        makeLinkedEntry('files', 'offer.pdf'),
        makeLinkedEntry('files', 'signed offer.pdf', makeUpdate('file_name', 'offer.pdf', 'signed offer.pdf')),
        {
          ...entry,
          table: 'form_submissions',
          linked: { id: imara.id, title: 'Imara', exists: true, parent: { kind: 'lead form', id: imara.id } },
        },
      ],
      next: null,
    },
  })
  await renderApp(address)
  const timeline = within(await screen.findByRole('complementary', { name: 'Timeline' }))
  const lines = await timeline.findAllByRole('listitem')
  expect(lines.map((line) => line.textContent?.replace('You · 3 minutes ago', ''))).toEqual([
    'Note added: Prefers letters',
    'Deal moved to Proposal: First engine',
    'Undone: deal moved to Lead: First engine',
    'Deal linked: Second engine',
    'Deal changed: An older engine',
    'Task completed: Call',
    'Task deleted: Write',
    'File uploaded: offer.pdf',
    'File renamed: signed offer.pdf',
    'Submission received: Imara',
  ])
  expect(timeline.getByRole('link', { name: 'Imara' }).getAttribute('href')).toBe(`/lead-forms/${imara.id}/submissions?open=${imara.id}`)
  expect(timeline.getByRole('link', { name: 'Call' }).getAttribute('href')).toBe('/crm/tasks/01930000-0000-7000-8000-000000000004')
  expect(timeline.queryByRole('link', { name: 'Write' })).toBeNull()
  expect(timeline.queryByRole('link', { name: 'Prefers letters' })).toBeNull()
})

test('a missing contact shows a message and a link back to the list', async () => {
  mockServer({
    ...routes,
    'GET /api/contacts/{id}': () => problemResponse('not_found'),
    'GET /api/changes': () => problemResponse('not_found'),
  })
  const { router } = await renderApp(address)
  expect(await screen.findByRole('heading', { name: 'This contact is not here' })).toBeTruthy()
  const [backLink] = screen.getAllByRole('link', { name: 'Back to Contacts' })
  if (backLink) fireEvent.click(backLink)
  await waitFor(() => expect(router.state.location.pathname).toBe('/crm/contacts'))
})

test('a page that failed to load can be loaded again', async () => {
  const server = mockServer({ ...routes, 'GET /api/contacts/{id}': () => problemResponse('not_ready') })
  await renderApp(address)
  expect(await screen.findByRole('heading', { name: 'The contact could not be loaded' })).toBeTruthy()
  server.setHandlers(routes)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('heading', { name: 'Imara Vantongeren' })).toBeTruthy()
})

test('deleting a contact in the menu opens the list', async () => {
  mockServer({ ...routes, 'DELETE /api/contacts/{id}': changeResponse('c-1') })
  const { router } = await renderApp(address)
  fireEvent.click(await screen.findByRole('button', { name: 'More actions' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: /Delete contact/ }))
  expect(await screen.findByText('Contact deleted')).toBeTruthy()
  await waitFor(() => expect(router.state.location.pathname).toBe('/crm/contacts'))
})

test('the shortcut e opens the edit form', async () => {
  mockServer(routes)
  const { router } = await renderApp(address)
  await screen.findByRole('heading', { name: 'Imara Vantongeren' })
  fireEvent.keyDown(document.body, { key: 'e' })
  await waitFor(() => expect(router.state.location.pathname).toBe(`/crm/contacts/edit/${imara.id}`))
})

test.each([
  ['deals', 'No deals yet.', 'Add deal', 'Deals 0'],
  ['tasks', 'Nothing is to be done for this contact.', 'Add task', 'Tasks 0'],
])('the empty tab of %s says that there are none, and links to the form that adds one', async (tab, text, link, tabLabel) => {
  mockServer({
    ...routes,
    'GET /api/deals': { rows: [], next: null },
    'GET /api/deals/count': { count: 0, more: false },
    'GET /api/tasks': { rows: [], next: null },
    'GET /api/tasks/count': { count: 0, more: false },
  })
  await renderApp(`${address}?tab=${tab}`)
  expect(await screen.findByText(text)).toBeTruthy()
  expect(screen.getByRole('link', { name: link })).toBeTruthy()
  expect(await screen.findByRole('link', { name: tabLabel })).toBeTruthy()
})
