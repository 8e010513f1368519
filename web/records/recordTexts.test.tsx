// Tests the texts of the actions on companies, deals and tasks. The texts of errors, which differ only in the name of the kind, are checked
// with companies.
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { CompanyRow, emptyCompany } from '#contract/companies.ts'
import { DealRow } from '#contract/deals.ts'
import { stages } from '#contract/stages.ts'
import { TaskRow } from '#contract/tasks.ts'
import { makeChangeSet, setElementSize } from '#web/contacts/testing.ts'
import { bikeWall } from '#web/deals/testing.ts'
import { van } from '#web/tasks/testing.ts'
import { changeResponse, mockServer, nora, problemResponse, renderApp, setWindowWidth } from '#web/testing.ts'

const { created_at, updated_at } = van
const quillstone = { ...emptyCompany, id: '01930000-0000-7000-8000-0000000000a1', created_at, updated_at, version: 1 }
const title = 'Quillstone'
const company = {
  singular: 'company',
  plural: 'companies',
  list: '/crm/companies',
  label: /^Name/,
  searchedFields: 'name, industry, website, email or phone',
  record: { ...quillstone, name: title },
  row: CompanyRow.parse({ ...quillstone, name: title }),
}
const deal = {
  singular: 'deal',
  plural: 'deals',
  list: '/crm/deals?as=list',
  label: /^Title/,
  searchedFields: 'title',
  record: { ...bikeWall, title },
  row: DealRow.parse({ ...bikeWall, title }),
}
const task = {
  singular: 'task',
  plural: 'tasks',
  list: '/crm/tasks?view=all',
  label: /^Title/,
  searchedFields: 'title',
  record: { ...van, title },
  row: TaskRow.parse({ ...van, title }),
}
const kinds = [company, deal, task]
type Kind = (typeof kinds)[number]

const capitalise = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
const clickButton = (name: string): void => void fireEvent.click(screen.getAllByRole('button', { name })[0] ?? document.body)
const findAndClick = async (name: string): Promise<void> => void fireEvent.click(await screen.findByRole('button', { name }))
const findRow = () => screen.findByRole('link', { name: new RegExp(title) })
const emptyPage = { rows: [], next: null }

/** Mocks a server with one record of a kind. A search finds nothing. */
const mockServerWith = ({ plural, record, row }: Kind) =>
  mockServer({
    'GET /api/session': nora,
    'GET /api/views': { rows: [] },
    'GET /api/changes': emptyPage,
    'GET /api/contacts': emptyPage,
    'GET /api/deals': emptyPage,
    'GET /api/deals/totals': { stages: stages.map((stage) => ({ stage, count: 0, value: 0, forecast: 0 })) },
    'GET /api/tasks/count': { count: 1, more: false },
    [`GET /api/${plural}`]: ({ query }: { query: Record<string, string> }) => (query['search'] ? emptyPage : { rows: [row], next: null }),
    [`GET /api/${plural}/count`]: { count: 1, more: false },
    [`GET /api/${plural}/{id}`]: record,
    [`POST /api/${plural}`]: ({ body }: { body: unknown }) => changeResponse('c-1', { ...record, ...Object(body) }, 201),
    [`PATCH /api/${plural}/{id}`]: ({ body }: { body: unknown }) => changeResponse('c-2', { ...record, ...Object(body), version: 5 }),
    [`DELETE /api/${plural}/{id}`]: changeResponse('c-3'),
    'POST /api/trash/{id}/restore': changeResponse('c-4', makeChangeSet({ count: 1 })),
    'POST /api/changes/{id}/undo': ({ params }) => changeResponse(`undo-of-${params['id']}`, makeChangeSet({ count: 1 })),
  })

/** Waits for the dialog that adds or edits a record, and types its title. */
async function typeTitle({ label }: Kind, dialogName: string, text: string): Promise<HTMLInputElement> {
  await waitFor(() => expect(within(screen.getByRole('dialog', { name: dialogName })).getByRole('textbox', { name: label })).toBeTruthy())
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: label })
  fireEvent.change(field, { target: { value: text } })
  return field
}

beforeEach(() => {
  setElementSize()
  setWindowWidth(1280)
})

test.each(kinds)('a toast confirms each action on $plural, its undo and its redo', async (kind) => {
  const { singular, list } = kind
  const capitalisedSingular = capitalise(singular)
  mockServerWith(kind)
  await renderApp(list)
  await findRow()
  fireEvent.click(screen.getByRole('link', { name: `Add ${singular}` }))
  await typeTitle(kind, `Add ${singular}`, 'Oakmoor')
  clickButton(`Save ${singular}`)
  expect(await screen.findByText(`${capitalisedSingular} created`)).toBeTruthy()
  clickButton('Undo')
  expect(await screen.findByText(`Undone: ${capitalisedSingular} created`)).toBeTruthy()
  fireEvent.keyDown(document.body, { key: 'Z', ctrlKey: true, shiftKey: true })
  expect(await screen.findByText(`Redone: ${capitalisedSingular} created`)).toBeTruthy()
  await findAndClick(`Edit ${title}`)
  await typeTitle(kind, `Edit ${singular}`, 'Oakmoor Hall')
  clickButton(`Save ${singular}`)
  expect(await screen.findByText(`${capitalisedSingular} updated`)).toBeTruthy()
  clickButton('Undo')
  expect(await screen.findByText(`Undone: ${capitalisedSingular} updated`)).toBeTruthy()
  await findAndClick(`Delete ${title}`)
  expect(await screen.findByText(`${capitalisedSingular} deleted`)).toBeTruthy()
  clickButton('Undo')
  expect(await screen.findByText(`Undone: ${capitalisedSingular} deleted`)).toBeTruthy()
})

test.each(kinds)('a search that finds no $plural says which fields it has searched, and can be cleared', async (kind) => {
  mockServerWith(kind)
  await renderApp(kind.list)
  await findRow()
  const search = screen.getByPlaceholderText(`Search ${kind.plural}`)
  fireEvent.change(search, { target: { value: 'zzzz' } })
  fireEvent.keyDown(search, { key: 'Enter' })
  expect(await screen.findByRole('heading', { name: 'Nothing found' })).toBeTruthy()
  expect(screen.getByText(`No ${kind.singular} has “zzzz” in its ${kind.searchedFields}.`)).toBeTruthy()
  clickButton('Clear search')
  expect(await findRow()).toBeTruthy()
})

test.each([company])('when $plural cannot be loaded, the list shows the reason, and the user can try again', async (kind) => {
  const server = mockServerWith(kind)
  server.setHandlers({ [`GET /api/${kind.plural}`]: () => problemResponse('too_many_requests') })
  await renderApp(kind.list)
  const heading = await screen.findByRole('heading', { name: `${capitalise(kind.plural)} could not be loaded` })
  expect(heading.closest('[role=alert]')?.textContent).toContain('Too many')
  server.setHandlers({ [`GET /api/${kind.plural}`]: { rows: [kind.row], next: null } })
  clickButton('Try again')
  expect(await findRow()).toBeTruthy()
})

test.each([company])('the panel of a missing $singular says where it may be, and its edit form does not open', async (kind) => {
  const { singular, plural } = kind
  const server = mockServerWith(kind)
  server.setHandlers({ [`GET /api/${plural}/{id}`]: () => problemResponse('not_found') })
  const { router } = await renderApp(`/crm/${plural}/01930000-0000-7000-8000-00000000ffff`)
  expect(await screen.findByRole('heading', { name: `This ${singular} is not here` })).toBeTruthy()
  expect(screen.getByText('It may have been deleted; then it is in the trash for 30 days.')).toBeTruthy()
  fireEvent.keyDown(document.body, { key: 'e' })
  expect((await screen.findByText('There is nothing here, or it is not yours.')).closest('[role=alert]')?.textContent).toContain('Error')
  await waitFor(() => expect(router.state.location.pathname).toBe(`/crm/${plural}`))
})

test.each([company])('when a $singular cannot be added, saved or deleted, an error says why and the typed text stays', async (kind) => {
  const { singular, plural, list } = kind
  const server = mockServerWith(kind)
  server.setHandlers({
    [`POST /api/${plural}`]: () => problemResponse('not_ready'),
    [`PATCH /api/${plural}/{id}`]: () => problemResponse('internal'),
    [`DELETE /api/${plural}/{id}`]: () => problemResponse('not_ready'),
  })
  await renderApp(list)
  await findRow()
  await findAndClick(`Delete ${title}`)
  expect((await screen.findByRole('alert')).textContent).toBe('ErrorThe server is busy or starting. Please try again.')
  expect(await findRow()).toBeTruthy()
  clickButton('Dismiss notification')
  fireEvent.click(screen.getByRole('link', { name: `Add ${singular}` }))
  const field = await typeTitle(kind, `Add ${singular}`, 'Oakmoor')
  clickButton(`Save ${singular}`)
  expect((await screen.findByRole('alert')).textContent).toBe('ErrorThe server is busy or starting. Please try again.')
  expect(field.value).toBe('Oakmoor')
  clickButton('Cancel')
  await findAndClick('Discard changes')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  clickButton('Dismiss notification')
  await findAndClick(`Edit ${title}`)
  await typeTitle(kind, `Edit ${singular}`, 'Oakmoor Hall')
  clickButton(`Save ${singular}`)
  expect((await screen.findByRole('alert')).textContent).toBe('ErrorSomething went wrong on our side. Nothing was changed.')
  server.setHandlers({ [`PATCH /api/${plural}/{id}`]: () => problemResponse('not_found') })
  clickButton(`Save ${singular}`)
  expect(await screen.findByText(`This ${singular} was deleted while you were editing. Restore it and save?`)).toBeTruthy()
  expect(screen.getByText('What you typed stays here.')).toBeTruthy()
  server.setHandlers({ [`PATCH /api/${plural}/{id}`]: changeResponse('c-5', { ...kind.record, version: 6 }) })
  clickButton('Restore and save')
  expect(await screen.findByText(`${capitalise(singular)} updated`)).toBeTruthy()
})
