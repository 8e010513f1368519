import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Contact } from '#contract/contacts.ts'
import type { Pair } from '#contract/duplicates.ts'
import { changeResponse, mockServer, nora, problemResponse, renderApp, setWindowWidth } from '#web/testing.ts'
import { bastian, imara, makeChangeSet, makeNumberedContacts, setElementSize, sixtyOfManyContacts, sunniva } from '../testing.ts'

const path = '/crm/contacts/duplicates'
const other: Contact = {
  ...bastian,
  first_name: 'I.',
  last_name: 'Van Tongeren',
  phone: '+44 20 7946 0100',
  mobile_phone: '+44 7700 900274',
  title: 'Reception',
  company: imara.company,
  email: imara.email,
  tags: ['Dental'],
  version: 5,
}
const makePair = ([contact, second]: [Contact, Contact], certainty: Pair['certainty'], why: string): Pair => ({
  contact,
  other: second,
  certainty,
  why,
  reasons: ['same_email'],
})
const pairs = [
  makePair([imara, other], 'certain', 'Same email, initial instead of the first name'),
  makePair([imara, sunniva], 'likely', 'Same phone, almost the same name'),
]
const changeId = '01930000-0000-7000-8000-0000000000c1'
const routes = {
  'GET /api/session': nora,
  'GET /api/contacts/duplicates': { rows: pairs, more: false },
  'GET /api/contacts/merges': { rows: [] },
  'GET /api/contacts/{id}/merge': ({ query }: { query: Record<string, string> }) => ({
    contact: imara,
    other: query['other_id'] === other.id ? other : sunniva,
    moves: [{ singular: 'deal', plural: 'deals', count: 3, titles: ['Waiting room', 'Lockers', 'Sign'] }],
  }),
  'POST /api/contacts/{id}/merge': () => changeResponse(changeId),
  'POST /api/contacts/{id}/not-duplicate': () => changeResponse(changeId),
}
const findList = () => screen.findByRole('navigation', { name: 'Likely pairs' })
const findButton = (name: string) => screen.findByRole('button', { name })

test('the page lists the pairs in two groups, each with its reason, and opens the first pair', async () => {
  mockServer(routes)
  await renderApp(path)
  const navigation = await findList()
  expect(
    within(navigation)
      .getAllByRole('heading')
      .map(({ textContent }) => textContent),
  ).toEqual(['Almost certain 1', 'Likely 1'])
  const [first, second] = within(navigation).getAllByRole('link')
  expect(first?.textContent).toBe('Imara VantongerenI. Van TongerenSame email, initial instead of the first name')
  expect([first?.getAttribute('aria-current'), second?.getAttribute('aria-current')]).toEqual(['true', null])
  expect(await screen.findByText('Same email, initial instead of the first name. Choose what to keep.')).toBeTruthy()
})

test('an open pair shows both values of each different field, the value that is kept, and the records that a merge moves', async () => {
  mockServer(routes)
  await renderApp(path)
  const title = await screen.findByRole('radiogroup', { name: 'Title' })
  expect(within(title).getByRole('radio', { name: 'Practice manager' })).toHaveProperty('checked', true)
  const mobile = screen.getByRole('radiogroup', { name: 'Mobile phone' })
  expect(within(mobile).getByRole('radio', { name: '+44 7700 900274' })).toHaveProperty('checked', true)
  expect(within(mobile).getByText('empty')).toBeTruthy()
  expect(screen.queryByRole('radiogroup', { name: 'Email' })).toBeNull()
  fireEvent.click(await findButton('Show 2 fields that are the same'))
  expect(screen.getByText('imara@quillstone.example')).toBeTruthy()
  expect(screen.getByText('3 deals').parentElement?.textContent).toContain('Waiting room, Lockers, Sign')
  fireEvent.click(screen.getByRole('radio', { name: 'I. Van Tongeren' }))
  expect(screen.getByRole('heading', { name: 'Moves to I. Van Tongeren' })).toBeTruthy()
})

test('a merge sends the chosen values and both versions, offers Undo, and opens the next pair', async () => {
  const server = mockServer(routes)
  await renderApp(path)
  fireEvent.click(await screen.findByRole('radio', { name: 'Reception' }))
  fireEvent.click(await findButton('Merge 2 contacts'))
  expect(await screen.findByText('Contacts merged')).toBeTruthy()
  expect(server.requestsTo('POST /api/contacts/{id}/merge')[0]).toMatchObject({
    params: { id: imara.id },
    body: {
      other_id: other.id,
      version: imara.version,
      other_version: other.version,
      fields: { first_name: 'this', last_name: 'this', phone: 'this', mobile_phone: 'other', title: 'other' },
    },
  })
  expect(await findButton('Undo')).toBeTruthy()
  await screen.findByText('Same phone, almost the same name. Choose what to keep.')
  expect(within(await findList()).getAllByRole('link')).toHaveLength(1)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Merge into one contact' })))
})

test('after a merge, no pair with the deleted contact is opened', async () => {
  const withDeleted = makePair([other, sunniva], 'certain', 'Same phone')
  mockServer({ ...routes, 'GET /api/contacts/duplicates': { rows: [pairs[0], withDeleted, pairs[1]], more: false } })
  const { router } = await renderApp(path)
  fireEvent.click(await findButton('Merge 2 contacts'))
  expect(await screen.findByText('Contacts merged')).toBeTruthy()
  await waitFor(() => expect(router.state.location.search).toEqual({ contact: imara.id, other: sunniva.id }))
})

test('after the merge of the last pair the focus is at the start of the page', async () => {
  mockServer({ ...routes, 'GET /api/contacts/duplicates': { rows: pairs.slice(0, 1), more: false } })
  await renderApp(path)
  const merge = await findButton('Merge 2 contacts')
  act(() => merge.focus())
  fireEvent.click(merge)
  expect(await screen.findByText('No duplicates')).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
})

test('a pair that the user marks as two persons disappears, and a toast says that both contacts stay', async () => {
  const server = mockServer(routes)
  await renderApp(path)
  fireEvent.click(await findButton('Not the same person'))
  expect(await screen.findByText('Kept as two contacts')).toBeTruthy()
  expect(server.requestsTo('POST /api/contacts/{id}/not-duplicate')[0]).toMatchObject({
    params: { id: imara.id },
    body: { other_id: other.id },
  })
  await waitFor(() => expect(screen.queryByText('I. Van Tongeren')).toBeNull())
})

test.each([
  ['Merge 2 contacts', 'Contacts merged', 'POST /api/contacts/{id}/merge'],
  ['Not the same person', 'Kept as two contacts', 'POST /api/contacts/{id}/not-duplicate'],
])('a response to "%s" that arrives after the user has left the page does not open the page again', async (button, toast, route) => {
  const pendingResponse = Promise.withResolvers<Response>()
  const server = mockServer({
    ...routes,
    [route]: () => pendingResponse.promise,
    'GET /api/lead-forms': { rows: [], next: null },
  })
  const { router } = await renderApp(path)
  fireEvent.click(await findButton(button))
  await waitFor(() => expect(server.requestsTo(route)).toHaveLength(1))
  await act(() => router.navigate({ to: '/lead-forms' }))
  pendingResponse.resolve(changeResponse(changeId))
  await screen.findByText(toast)
  await act(() => new Promise<void>((done) => setTimeout(done, 50)))
  expect(router.state.location.pathname).toBe('/lead-forms')
})

test('the keys J and K open the next and the previous pair', async () => {
  mockServer(routes)
  await renderApp(path)
  await findButton('Merge 2 contacts')
  fireEvent.keyDown(document.body, { key: 'j' })
  expect(await screen.findByText('Same phone, almost the same name. Choose what to keep.')).toBeTruthy()
  fireEvent.keyDown(document.body, { key: 'k' })
  expect(await screen.findByText('Same email, initial instead of the first name. Choose what to keep.')).toBeTruthy()
})

test('after a conflict both contacts are loaded again, and the reason is shown', async () => {
  const server = mockServer({
    ...routes,
    'POST /api/contacts/{id}/merge': () => problemResponse('conflict', { detail: 'One of these contacts was changed.' }),
  })
  await renderApp(path)
  fireEvent.click(await findButton('Merge 2 contacts'))
  expect(await screen.findByText('One of these contacts was changed.')).toBeTruthy()
  await waitFor(() => expect(server.requestsTo('GET /api/contacts/{id}/merge')).toHaveLength(2))
})

test('the button "Un-merge" undoes a recent merge', async () => {
  const merges = [
    {
      change: changeId,
      at: imara.created_at,
      contact: { id: imara.id, name: 'Imara Vantongeren', exists: true },
      other_name: 'I. Van Tongeren',
    },
  ]
  const server = mockServer({
    ...routes,
    'GET /api/contacts/duplicates': { rows: [], more: false },
    'GET /api/contacts/merges': { rows: merges },
    'POST /api/changes/{id}/undo': () => changeResponse('c-2', makeChangeSet({ count: 2 })),
  })
  await renderApp(path)
  expect(await screen.findByText('No duplicates')).toBeTruthy()
  fireEvent.click(await findButton('Un-merge Imara Vantongeren'))
  await waitFor(() => expect(server.requestsTo('POST /api/changes/{id}/undo')[0]?.params).toEqual({ id: changeId }))
})

test('a list that cannot be loaded has a button that tries again, and a pair with a missing contact shows an error', async () => {
  const server = mockServer({ ...routes, 'GET /api/contacts/duplicates': problemResponse('too_many_requests') })
  await renderApp(path)
  expect(await screen.findByText('Duplicates could not be loaded')).toBeTruthy()
  server.setHandlers({ ...routes, 'GET /api/contacts/{id}/merge': problemResponse('not_found') })
  fireEvent.click(await findButton('Try again'))
  expect(await screen.findByText('These contacts could not be loaded')).toBeTruthy()
})

test('on a phone an open pair replaces the list', async () => {
  setWindowWidth(390)
  mockServer(routes)
  await renderApp(path)
  const [first] = within(await findList()).getAllByRole('link')
  if (!first) throw new Error('No pair is listed')
  expect(screen.queryByRole('button', { name: 'Merge 2 contacts' })).toBeNull()
  fireEvent.click(first)
  await findButton('Merge 2 contacts')
  expect(screen.queryByRole('navigation', { name: 'Likely pairs' })).toBeNull()
  expect(screen.getByText('1 of 2')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Next pair' }))
  expect(await screen.findByText('2 of 2')).toBeTruthy()
})

test('two selected contacts can be merged, one or three cannot', async () => {
  mockServer({ ...routes, ...sixtyOfManyContacts, 'GET /api/contacts/duplicates': { rows: [], more: false } })
  setElementSize()
  const [first, second] = makeNumberedContacts(1, 2)
  const select = (name: string) => fireEvent.click(screen.getByRole('checkbox', { name }))
  const { router } = await renderApp('/crm/contacts')
  await screen.findByRole('link', { name: 'Person 1' })
  select('Select Person 1')
  await screen.findByText('1 selected')
  expect(screen.queryByRole('button', { name: 'Merge' })).toBeNull()
  select('Select Person 2')
  select('Select Person 3')
  await screen.findByText('3 selected')
  expect(screen.queryByRole('button', { name: 'Merge' })).toBeNull()
  select('Select Person 3')
  fireEvent.click(await findButton('Merge'))
  await waitFor(() => expect(router.state.location.search).toEqual({ contact: first?.id, other: second?.id }))
  expect(router.state.location.pathname).toBe('/crm/contacts/duplicates')
})
