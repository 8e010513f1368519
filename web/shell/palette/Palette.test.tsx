import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { kindNames } from '#contract/kinds.ts'
import type { Hit } from '#contract/search.ts'
import { actions } from '#web/lib/actions.ts'
import { featureRegistry } from '#web/lib/features.ts'
import { formatKeys } from '#web/lib/shortcuts.ts'
import { nora, problemResponse, renderApp, mockServer } from '#web/testing.ts'

const makeId = (number: number): string => `01930000-0000-7000-8000-${String(number).padStart(12, '0')}`
/** Makes a hit that is a contact without a title, except for the fields in `overrides`. */
const makeHit = (number: number, overrides: Partial<Hit>): Hit => ({
  kind: 'contact',
  id: makeId(number),
  title: '',
  detail: '',
  parent: null,
  ...overrides,
})
const imara = makeHit(1, { title: 'Imara Vantongeren', detail: 'imara@quillstone.example' })
const dental = makeHit(2, { kind: 'company', title: 'Quillstone Dental' })
const waitingRoom = makeHit(3, { kind: 'deal', title: 'Waiting room', detail: 'Quillstone Dental · Proposal' })
const note = makeHit(4, { kind: 'note', title: 'Wants quills', detail: 'Imara Vantongeren', parent: { kind: 'contact', id: imara.id } })
const routes = {
  'GET /api/session': nora,
  'GET /api/search': { hits: [imara, dental, waitingRoom, note] },
  'GET /api/trash': { rows: [], next: null },
}
const getField = (): HTMLElement => screen.getByLabelText('Search and commands', { selector: 'input' })
// a selector, because getAllByRole is slow for many elements
const getOptionElements = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('dialog [role=option]')]
const getOptionTexts = (): string[] => getOptionElements().map((option) => option.textContent)
const getSelectedText = (): string | undefined =>
  getOptionElements().find((option) => option.getAttribute('aria-selected') === 'true')?.textContent
const type = (text: string): void => void fireEvent.change(getField(), { target: { value: text } })
const press = (key: string, init: KeyboardEventInit = {}): void => void fireEvent.keyDown(getField(), { key, ...init })
const findOption = (title: string): Promise<HTMLElement> =>
  waitFor(() => {
    const element = getOptionElements().find((option) => option.textContent.startsWith(title))
    if (!element) throw new Error(`${title} is not among the options ${getOptionTexts().join(', ')}`)
    return element
  })
const openPalette = async (address = '/trash') => {
  const app = await renderApp(address)
  await screen.findByRole('button', { name: 'Search' })
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
  await screen.findByRole('listbox', { name: 'Results' })
  return app
}

test('the features register every record kind of the contract', async () => {
  await renderApp('/crm/contacts')
  const registeredNames = featureRegistry.get().records.map(({ singular }) => singular)
  expect(registeredNames.toSorted()).toEqual(kindNames.toSorted())
})

test('a file that was found by its text shows the passage with the searched words in bold, and opens at these words', async () => {
  const passage = { text: '… the Quillstone invoice of Müller …', marks: [{ start: 6, end: 16 }, { start: 28, end: 34 }], page: 2 } // prettier-ignore
  const file = makeHit(5, { kind: 'file', title: 'scan.pdf', detail: 'Contracts', passage })
  mockServer({ ...routes, 'GET /api/search': { hits: [file] } })
  const { router } = await openPalette()
  type('quillst mueller')
  const option = await findOption('scan.pdf')
  expect(option.textContent).toBe('scan.pdfContracts, File… the Quillstone invoice of Müller …')
  expect([...option.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual(['Quillstone', 'Müller'])
  fireEvent.click(option)
  await waitFor(() => expect(router.state.location.search).toEqual({ find: 'quillst mueller' }))
})

test('Ctrl+K and the button in the sidebar open the palette; Ctrl+K and Escape close it', async () => {
  mockServer(routes)
  await openPalette()
  press('k', { ctrlKey: true })
  expect(screen.queryByRole('dialog')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Search' }))
  const dialog = await screen.findByRole<HTMLDialogElement>('dialog', { name: 'Search and commands' })
  act(() => dialog.close()) // as a browser does on Escape
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('the palette finds records of several kinds, shows the matches in bold, and opens the first record on Enter', async () => {
  const server = mockServer(routes)
  const { router } = await openPalette()
  for (const text of ['q', 'qu', 'quill']) type(text)
  await findOption('Imara Vantongeren')
  expect(server.requestsTo('GET /api/search').map(({ query }) => query['search'])).toEqual(['quill'])
  expect(getOptionTexts().slice(0, 4)).toEqual([
    'Imara Vantongerenimara@quillstone.example, Contact',
    'Quillstone DentalCompany',
    'Waiting roomQuillstone Dental · Proposal, Deal',
    'Wants quillsImara Vantongeren, Note',
  ])
  expect([...document.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual(['quill', 'Quill', 'Quill', 'quill'])
  press('ArrowDown')
  expect(getSelectedText()).toContain('Quillstone Dental')
  expect(getField().getAttribute('aria-activedescendant')).toBe((await findOption('Quillstone Dental')).id)
  press('ArrowUp')
  press('ArrowUp') // from the first option to the last one
  expect(getSelectedText()).toBe(getOptionTexts().at(-1))
  press('ArrowDown')
  press('Enter')
  await waitFor(() => expect(router.state.location.pathname).toBe(`/crm/contacts/${imara.id}`))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('Enter during the search opens the first record when the search has finished', async () => {
  const response = Promise.withResolvers<object>()
  mockServer({ ...routes, 'GET /api/search': () => response.promise })
  const { router } = await openPalette()
  type('imara')
  press('Enter')
  expect(router.state.location.pathname).toBe('/trash')
  await act(async () => response.resolve({ hits: [imara] }))
  await waitFor(() => expect(router.state.location.pathname).toBe(`/crm/contacts/${imara.id}`))
})

test('the palette shows the previous hits until the next hits arrive, and announces the number of results', async () => {
  const nextResponse = Promise.withResolvers<object>()
  const server = mockServer(routes)
  await openPalette()
  type('quill')
  await findOption('Imara Vantongeren')
  server.setHandlers({ 'GET /api/search': () => nextResponse.promise })
  type('quills')
  await waitFor(() => expect(server.requestsTo('GET /api/search')).toHaveLength(2))
  expect(getOptionTexts()[0]).toContain('Imara Vantongeren')
  await act(async () => nextResponse.resolve({ hits: [note] }))
  await waitFor(() => expect(getOptionTexts()[0]).toContain('Wants quills'))
  await waitFor(() => expect(screen.getByText(`${getOptionTexts().length} results`)).toBeTruthy())
})

test('a click with Ctrl opens a record in a new tab', async () => {
  const openWindow = vi.spyOn(window, 'open').mockReturnValue(null)
  mockServer(routes)
  const { router } = await openPalette()
  type('wants')
  await findOption('Wants quills')
  fireEvent.click(await findOption('Wants quills'), { ctrlKey: true })
  expect(openWindow).toHaveBeenCalledWith(`/crm/contacts/${imara.id}?tab=notes`, '_blank', 'noopener')
  expect(router.state.location.pathname).toBe('/trash')
})

test('a typed text is offered as the name of a new record of each kind and as the search of each list', async () => {
  mockServer(routes)
  await openPalette()
  expect(getField().getAttribute('placeholder')).toBe('Search or type a command')
  type('quill')
  await findOption('Imara Vantongeren')
  expect(screen.getByRole('group', { name: 'Records' })).toBeTruthy()
  for (const singular of ['contact', 'company', 'deal', 'task']) expect(await findOption(`Add ${singular} “quill”`)).toBeTruthy()
  for (const plural of ['Contacts', 'Companies', 'Deals', 'Tasks']) expect(await findOption(`${plural}, filtered by “quill”`)).toBeTruthy()
})

test('a typed text without matches can become the name of a new contact or the search of a list', async () => {
  mockServer({
    ...routes,
    'GET /api/search': { hits: [] },
    'GET /api/contacts': { rows: [], next: null },
    'GET /api/contacts/count': { count: 0, more: false },
  })
  const { router } = await openPalette()
  type('Grace Hopper')
  expect(await screen.findByText('No record has “Grace Hopper” in it.')).toBeTruthy()
  fireEvent.click(await findOption('Add contact “Grace Hopper”'))
  expect(await screen.findByDisplayValue('Grace')).toBeTruthy()
  expect(screen.getByDisplayValue('Hopper')).toBeTruthy()
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
  await screen.findByRole('dialog')
  type('42')
  fireEvent.click(await findOption('Contacts, filtered by “42”'))
  await waitFor(() => expect(router.state.location.pathname).toBe('/crm/contacts'))
  expect(router.state.location.search).toMatchObject({ search: '42' })
})

test('a command that begins with the typed text is listed before records, and Enter runs it', async () => {
  mockServer(routes)
  await openPalette()
  type('theme dark')
  expect(getSelectedText()).toBe('Theme: Dark')
  press('Enter')
  await waitFor(() => expect(document.documentElement.dataset['mantineColorScheme']).toBe('dark'))
})

test('when the search fails, the palette shows the error and commands still work', async () => {
  mockServer({ ...routes, 'GET /api/search': () => problemResponse('not_ready') })
  await openPalette()
  type('account')
  expect(await screen.findByText(/^Records could not be searched\. The server is busy/)).toBeTruthy()
  expect(getSelectedText()).toContain('Account')
})

test('before a text is typed, the palette lists recently opened records', async () => {
  mockServer({ ...routes, 'GET /api/contacts/{id}': () => problemResponse('not_found') })
  sessionStorage.setItem(`foyer ${nora.user.id} recent records`, JSON.stringify([imara])) // as if the contact had been opened
  await openPalette()
  expect(getOptionTexts()[0]).toContain('Imara Vantongeren')
  expect(screen.getByRole('group', { name: 'Recent' })).toBeTruthy()
})

test('before a text is typed, the palette lists global actions and pages before the actions of this page', async () => {
  mockServer({ ...routes, 'GET /api/contacts': { rows: [], next: null }, 'GET /api/contacts/count': { count: 0, more: false } })
  await openPalette('/crm/contacts')
  const heads = [...document.querySelectorAll('dialog [role=group] > [role=presentation]')]
  expect(heads.map(({ textContent }) => textContent)).toEqual(['Actions', 'Go to', 'On this page'])
})

const pages = ['/account', '/dashboard', '/trash', '/crm/contacts', '/crm/contacts/new', '/crm/companies', '/crm/deals', '/crm/tasks']

test.each(pages)('on %s the palette lists every action with its shortcut', async (address) => {
  mockServer(routes)
  const { router } = await openPalette(address)
  await waitFor(() => expect(router.state.status).toBe('idle'))
  const optionTexts = getOptionTexts()
  const listedActions = actions.get().filter(({ keys }) => keys !== 'mod+k') // the palette does not list the action that opens the palette
  for (const { label, keys = '' } of listedActions) {
    const [firstShortcut = ''] = keys.split(' ') // an option shows the first of several shortcuts
    const text = firstShortcut === '' ? label : label + formatKeys(firstShortcut).join('')
    expect(
      optionTexts.some((option) => option.startsWith(text)),
      label,
    ).toBe(true)
  }
})

test('the palette lists every page whose path has no record id, and every page of the sidebar', async () => {
  mockServer(routes)
  const { router } = await openPalette()
  const signedInRoutes = Object.values(router.routesById).filter(({ id }) => id.startsWith('/signed-in/'))
  const screenPaths = signedInRoutes.map(({ fullPath }) => fullPath).filter((path) => !path.includes('$'))
  const labels = new Map(actions.get().map(({ address, label }) => [address, label]))
  const optionTexts = getOptionTexts()
  expect(screenPaths.length).toBeGreaterThan(5)
  const sidebarLinks = within(screen.getByRole('complementary')).getAllByRole('link')
  const sidebarPaths = sidebarLinks.map((link) => link.getAttribute('href') ?? '')
  for (const path of [...screenPaths, ...sidebarPaths]) {
    const label = labels.get(path) ?? `No action opens ${path}`
    expect(
      optionTexts.some((option) => option.startsWith(label)),
      label,
    ).toBe(true)
  }
})
