// The texts of the empty list and the form of companies.
import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { CompanyRow, emptyCompany, type Company } from '#contract/companies.ts'
import { setElementSize } from '#web/contacts/testing.ts'
import { changeResponse, mockServer, nora, renderApp, setWindowWidth } from '#web/testing.ts'

const quillstone: Company = {
  ...emptyCompany,
  id: '01930000-0000-7000-8000-0000000000a1',
  name: 'Quillstone Dental',
  created_at: '2026-11-01T09:00:00.000Z',
  updated_at: '2026-11-01T09:00:00.000Z',
  version: 3,
}
const emptyPage = { rows: [], next: null }
const mockServerWith = (...companies: Company[]) =>
  mockServer({
    'GET /api/session': nora,
    'GET /api/views': { rows: [] },
    'GET /api/changes': emptyPage,
    'GET /api/deals': emptyPage,
    'GET /api/contacts': emptyPage,
    'GET /api/companies/tags': { tags: [] },
    'GET /api/companies': { rows: companies.map((company) => CompanyRow.parse(company)), next: null },
    'GET /api/companies/count': { count: companies.length, more: false },
    'GET /api/companies/{id}': quillstone,
  })

beforeEach(() => {
  setElementSize()
  setWindowWidth(1280)
})

test('the empty list explains companies, and the form explains each invalid field and completes the website', async () => {
  const server = mockServerWith()
  server.setHandlers({ 'POST /api/companies': changeResponse('c-1', quillstone, 201) })
  await renderApp('/crm/companies')
  expect(
    await screen.findByText('Customers, suppliers, partners. A company brings its people and its deals together in one place.'),
  ).toBeTruthy()
  fireEvent.click(screen.getByRole('link', { name: 'Add company' }))
  await screen.findByRole('textbox', { name: 'Name' })
  const form = within(screen.getByRole('dialog', { name: 'Add company' }))
  const type = (name: string, value: string) => fireEvent.change(form.getByRole('textbox', { name }), { target: { value } })
  const save = () => fireEvent.click(form.getByRole('button', { name: 'Save company' }))
  expect(form.getByPlaceholderText('Add a tag')).toBeTruthy()
  expect(form.getByPlaceholderText('https://')).toBe(form.getByRole('textbox', { name: 'Website optional' }))
  expect([...document.querySelectorAll('[role=dialog] label')].map(({ textContent }) => textContent?.trim())).toEqual([
    'Name',
    'Industry optional',
    'Employees optional',
    'Website optional',
    'Phone optional',
    'Email optional',
    'Tags optional',
  ])
  type('Website optional', 'the web')
  type('Email optional', 'nobody')
  for (const [employees, error] of [
    ['12.5', 'Enter a whole number like 12'],
    ['-1', 'At least 0'],
    ['100000001', 'At most 100,000,000'],
  ] as const) {
    type('Employees optional', employees)
    save()
    expect(await form.findByText(error)).toBeTruthy()
  }
  for (const error of ['Enter a name', 'Enter an address like https://example.com', 'Enter an email like name@example.com'])
    expect(form.getByText(error)).toBeTruthy()
  expect(server.requestsTo('POST /api/companies')).toEqual([])
  type('Name', 'Quillstone Dental')
  type('Website optional', 'quillstone.example')
  type('Email optional', 'desk@quillstone.example')
  type('Employees optional', '')
  save()
  expect(await screen.findByText('Company created')).toBeTruthy()
  const body = {
    id: expect.any(String),
    name: 'Quillstone Dental',
    website: 'https://quillstone.example',
    email: 'desk@quillstone.example',
  }
  expect(server.requestsTo('POST /api/companies')[0]?.body).toEqual(body)
})
