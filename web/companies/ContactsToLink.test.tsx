// Tests the offers to link contacts that have the name of a company as text, but no link to the company.
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { unlinkedContactsFilter } from '#contract/companyNames.ts'
import { CompanyRow, emptyCompany, type Company } from '#contract/companies.ts'
import { imara, makeNumberedContacts, setElementSize } from '#web/contacts/testing.ts'
import { changeResponse, mockServer, nora, problemResponse, renderApp } from '#web/testing.ts'
import type { ContactRow } from '#contract/contacts.ts'

const quillstone: Company = {
  ...emptyCompany,
  id: '01930000-0000-7000-8000-0000000000a1',
  name: 'Quillstone Dental',
  created_at: '2026-11-01T09:00:00.000Z',
  updated_at: '2026-11-01T09:00:00.000Z',
  version: 3,
}
const linkAllRoute = 'POST /api/companies/{id}/contacts'
const updateRoute = 'PATCH /api/contacts/{id}'
const unlinkedFilter = JSON.stringify(unlinkedContactsFilter(quillstone.name))

/** Mocks a server with `count` unlinked contacts, of which a list shows at most five. After all of them were linked, it has none. */
function mockServerWith(count: number) {
  const stored = { rows: makeNumberedContacts(1, count) }
  const server = mockServer({
    'GET /api/session': nora,
    'GET /api/companies': { rows: [CompanyRow.parse(quillstone)], next: null },
    'GET /api/companies/count': { count: 1, more: false },
    'GET /api/companies/tags': { tags: [] },
    'GET /api/companies/{id}': quillstone,
    'GET /api/changes': { rows: [], next: null },
    'GET /api/deals': { rows: [], next: null },
    'GET /api/contacts': ({ query }) => makePage(query['filter'] === unlinkedFilter ? stored.rows : []),
    'GET /api/contacts/count': () => ({ count: stored.rows.length, more: false }),
    'GET /api/views': { rows: [] },
    [linkAllRoute]: () => {
      stored.rows = []
      return changeResponse('c-1')
    },
  })
  return { server, stored }
}

const makePage = (rows: ContactRow[]) => ({ rows: rows.slice(0, 5), next: rows.length > 5 ? 'more' : null })
const findSection = async () => within(await screen.findByRole('region', { name: 'Contacts to link' }))

beforeEach(setElementSize)

test('the panel of a company shows the contacts that have its name as text, and a button links all of them, with Undo', async () => {
  const { server } = mockServerWith(7)
  await renderApp(`/crm/companies/${quillstone.id}`)
  const section = await findSection()
  expect(section.getAllByRole('button', { name: /^Link Person/ })).toHaveLength(5)
  const allContactsAddress = section.getByRole('link', { name: 'All contacts with this name as company' }).getAttribute('href') ?? ''
  expect(decodeURIComponent(allContactsAddress.replaceAll('+', ' '))).toBe(`/crm/contacts?filter=${unlinkedFilter}`)
  fireEvent.click(section.getByRole('button', { name: 'Link all 7' }))
  expect(await screen.findByText('7 contacts linked')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  expect(server.requestsTo(linkAllRoute).map(({ params }) => params)).toEqual([{ id: quillstone.id }])
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Contacts to link' })).toBeNull())
})

test('a button links one of the contacts', async () => {
  const { server, stored } = mockServerWith(2)
  server.setHandlers({
    [updateRoute]: ({ params }) => {
      stored.rows = stored.rows.filter(({ id }) => id !== params['id'])
      return changeResponse('c-2', { ...imara, company_id: quillstone.id })
    },
  })
  await renderApp(`/crm/companies/${quillstone.id}`)
  const section = await findSection()
  fireEvent.click(section.getByRole('button', { name: 'Link Person 2' }))
  expect(await screen.findByText('Contact linked')).toBeTruthy()
  await waitFor(() => expect(section.queryByRole('button', { name: 'Link Person 2' })).toBeNull())
  expect(section.getByRole('button', { name: 'Link Person 1' })).toBeTruthy()
  expect(server.requestsTo(updateRoute).map(({ body }) => body)).toEqual([{ company_id: quillstone.id }])
  server.setHandlers({ [updateRoute]: () => problemResponse('not_found') })
  fireEvent.click(section.getByRole('button', { name: 'Link Person 1' }))
  expect(await screen.findByText('Error linking contact')).toBeTruthy()
})

test('when no contact has the name of the company as text, the panel has no section for them', async () => {
  const { server } = mockServerWith(0)
  await renderApp(`/crm/companies/${quillstone.id}`)
  await waitFor(() => expect(server.requestsTo('GET /api/contacts').map(({ query }) => query['filter'])).toContain(unlinkedFilter))
  await screen.findByText('No contacts yet.')
  expect(screen.queryByRole('region', { name: 'Contacts to link' })).toBeNull()
})

test('after a company was added, a toast offers to link the contacts that have its name as text', async () => {
  const { server } = mockServerWith(3)
  server.setHandlers({ 'POST /api/companies': changeResponse('c-3', quillstone, 201) })
  await renderApp('/crm/companies/new')
  fireEvent.change(await screen.findByRole('textbox', { name: 'Name' }), { target: { value: quillstone.name } })
  fireEvent.click(screen.getByRole('button', { name: 'Save company' }))
  expect(await screen.findByText('3 contacts to link')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Link all' }))
  expect(await screen.findByText('3 contacts linked')).toBeTruthy()
  expect(server.requestsTo(linkAllRoute)).toHaveLength(1)
})
