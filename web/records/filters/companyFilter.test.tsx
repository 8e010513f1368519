// Tests the filter by the company of a contact, which has conditions on the link to a company and on the name that is stored with the link.
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { Company, emptyCompany } from '#contract/companies.ts'
import { imara, makePage, setElementSize } from '#web/contacts/testing.ts'
import { mockServer, nora, renderApp, setWindowWidth } from '#web/testing.ts'

const { created_at, updated_at } = imara
const quillstone = Company.parse({
  ...emptyCompany,
  id: '01930000-0000-7000-8000-0000000000a1',
  name: 'Quillstone',
  created_at,
  updated_at,
  version: 1,
})
const routes = {
  'GET /api/session': nora,
  'GET /api/contacts': makePage([imara]),
  'GET /api/contacts/count': { count: 1, more: false },
  'GET /api/contacts/tags': { tags: [] },
  'GET /api/companies': { rows: [quillstone], next: null },
  'GET /api/companies/{id}': quillstone,
  'GET /api/companies/count': { count: 1, more: false },
  'GET /api/views': { rows: [] },
}
/** Opens the list of contacts with a filter. `expectFilter` waits until the URL has the expected filter. */
const openList = async (filter: object[]) => {
  mockServer(routes)
  const { router } = await renderApp(`/crm/contacts?filter=${encodeURIComponent(JSON.stringify(filter))}`)
  await screen.findByRole('link', { name: /Imara Vantongeren/ })
  const expectFilter = (expected: object[]) =>
    waitFor(() => expect(router.state.location.search).toEqual(expected.length > 0 ? { filter: expected } : {}))
  return { router, expectFilter }
}
const getForm = async () => within(await screen.findByRole('form', { name: 'Company' }))
const selectOperator = async (operator: string): Promise<void> => {
  const form = await getForm()
  fireEvent.change(form.getByRole('combobox', { name: 'Condition on Company' }), { target: { value: operator } })
}
function enterText(text: string): void {
  const input = screen.getByRole('textbox', { name: 'Company contains' })
  fireEvent.change(input, { target: { value: text } })
  fireEvent.keyDown(input, { key: 'Enter' })
}
const click = (name: string | RegExp): void => void fireEvent.click(screen.getByRole('button', { name }))

beforeEach(() => {
  setElementSize()
  setWindowWidth(1280)
})

test('the menu has one filter by company, which sets a condition for the linked company or for the company name', async () => {
  const { expectFilter } = await openList([])
  click('Filter')
  const fields = await screen.findByRole('textbox', { name: 'Filter by' })
  fireEvent.change(fields, { target: { value: 'company' } })
  expect([...(fields.parentElement?.querySelectorAll('li') ?? [])].map(({ textContent }) => textContent)).toEqual(['Company'])
  fireEvent.keyDown(fields, { key: 'Enter' })
  const form = await getForm()
  expect(form.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['is any of', 'contains', 'is empty', 'is not empty'])
  fireEvent.click(await form.findByRole('checkbox', { name: 'Quillstone' }))
  await expectFilter([{ field: 'company_id', is: [quillstone.id] }])
  fireEvent.keyDown(form.getByRole('textbox', { name: 'Search companies' }), { key: 'Enter' }) // closes the form
  fireEvent.click(await screen.findByRole('button', { name: 'Company Quillstone' }))
  await selectOperator('contains')
  enterText('dental')
  await expectFilter([{ field: 'company', has: 'dental' }])
  fireEvent.click(await screen.findByRole('button', { name: 'Company contains “dental”' }))
  await selectOperator('empty')
  await expectFilter([{ field: 'company', empty: true }])
  expect(screen.getAllByRole('button', { name: /^Company / }).map(({ textContent }) => textContent)).toEqual(['Companyis empty'])
  fireEvent.click((await getForm()).getByRole('button', { name: 'Remove' }))
  await expectFilter([])
})

test.each([
  [{ field: 'company', has: 'dental' }, 'Company contains “dental”', 'contains'],
  [{ field: 'company', is: ['Quillstone'] }, 'Company Quillstone', 'contains'], // the form has no operator for a whole name
  [{ field: 'company', empty: false }, 'Company is not empty', 'notEmpty'],
  [{ field: 'company_id', is: [quillstone.id] }, 'Company Quillstone', 'is'],
  [{ field: 'company_id', empty: true }, 'Company is not linked', 'empty'],
])('the condition %j in a URL or a saved view is shown as “%s” and can be edited and removed', async (condition, text, operator) => {
  const { expectFilter } = await openList([condition])
  fireEvent.click(await screen.findByRole('button', { name: text }))
  const form = await getForm()
  expect(form.getByRole<HTMLSelectElement>('combobox', { name: 'Condition on Company' }).value).toBe(operator)
  fireEvent.click(form.getByRole('button', { name: 'Remove' }))
  await expectFilter([])
})

test('a value that the user ticks just before another page opens filters neither this page nor the list', async () => {
  const { router } = await openList([])
  click('Filter')
  const fields = await screen.findByRole('textbox', { name: 'Filter by' })
  fireEvent.change(fields, { target: { value: 'company' } })
  fireEvent.keyDown(fields, { key: 'Enter' })
  fireEvent.click(await (await getForm()).findByRole('checkbox', { name: 'Quillstone' }))
  await act(() => router.navigate({ to: '/crm/companies' }))
  expect(await screen.findByRole('table', { name: 'Companies' })).toBeTruthy()
  expect(router.state.location.href).toBe('/crm/companies')
})

test('an edit of one of two conditions on the company keeps the other one, unless both would be on the same field', async () => {
  const { expectFilter } = await openList([
    { field: 'company', has: 'dental' },
    { field: 'company_id', is: [quillstone.id] },
  ])
  fireEvent.click(await screen.findByRole('button', { name: 'Company contains “dental”' }))
  await getForm()
  enterText('quill')
  await expectFilter([
    { field: 'company', has: 'quill' },
    { field: 'company_id', is: [quillstone.id] },
  ])
  fireEvent.click(await screen.findByRole('button', { name: 'Company Quillstone' }))
  await selectOperator('notEmpty') // a condition on the name, which replaces both
  await expectFilter([{ field: 'company', empty: false }])
})
