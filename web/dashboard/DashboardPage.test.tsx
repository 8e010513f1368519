import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { nora, refusal, renderApp, standInServer } from '#web/testing.ts'

const ids = { imara: '01930000-0000-7000-8000-0000000000c1', bastian: '01930000-0000-7000-8000-0000000000c2' }
const row = (id: string, first_name: string, last_name: string) => ({
  id,
  first_name,
  last_name,
  email: '',
  phone: '',
  mobile_phone: '',
  company: 'Quillstone Dental',
  title: '',
  notes: '',
  created_at: new Date(Date.now() - 7_200_000).toISOString(),
  version: 1,
})
const empty = { 'GET /api/session': nora, 'GET /api/contacts/count': { count: 0, more: false } }
const filled = {
  'GET /api/session': nora,
  'GET /api/contacts/count': { count: 1000, more: true },
  'GET /api/contacts': { rows: [row(ids.imara, 'Imara', 'Vantongeren'), row(ids.bastian, 'Bastian', 'Ollerquist')], next: null },
}

test('an empty workspace greets by the first name and shows the first steps', async () => {
  const server = standInServer(empty)
  await renderApp('/dashboard')
  expect(await screen.findByRole('heading', { name: 'Welcome, Nora' })).toBeTruthy()
  expect((await screen.findByRole('link', { name: 'Add contact' })).getAttribute('href')).toBe('/crm/contacts/new')
  expect(screen.getByRole('link', { name: 'Open account' }).getAttribute('href')).toBe('/account')
  expect(document.title).toBe('Dashboard - Foyer')
  expect(server.to('GET /api/contacts')).toEqual([])
})

test('once there are contacts it says how many and shows the newest', async () => {
  const server = standInServer(filled)
  await renderApp('/dashboard')
  expect(await screen.findByText('1,000+')).toBeTruthy()
  const newest = await screen.findByRole('link', { name: /Imara Vantongeren/ })
  expect(newest.getAttribute('href')).toBe(`/crm/contacts/${ids.imara}`)
  expect(newest.textContent).toContain('2 hours ago')
  expect(screen.getByRole('link', { name: 'All contacts' }).getAttribute('href')).toBe('/crm/contacts')
  expect(server.to('GET /api/contacts')[0]?.query).toEqual({ sort: 'newest', limit: '6' })
})

test('a dashboard that cannot be loaded says why and tries again', async () => {
  const server = standInServer({ ...filled, 'GET /api/contacts/count': () => refusal('internal') })
  await renderApp('/dashboard')
  expect(await screen.findByText('The dashboard could not be loaded')).toBeTruthy()
  server.answer(filled)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('1,000+')).toBeTruthy()
})
