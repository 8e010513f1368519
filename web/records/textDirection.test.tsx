// Tests that texts in Hebrew or Arabic run from right to left wherever users write or read them: their elements have `dir="auto"`.
import { screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { imara, makePage, setElementSize } from '#web/contacts/testing.ts'
import { mockServer, nora, renderApp, setWindowWidth } from '#web/testing.ts'

/** A contact with Hebrew texts. */
const contact = {
  ...imara,
  first_name: 'נועה',
  last_name: 'לוי',
  title: 'מנהלת',
  company: 'חברת הכוכב',
  department: 'מכירות',
  description: 'לקוחה ותיקה',
  tags: ['חשוב'],
}
const note = {
  id: '01930000-0000-7000-8000-0000000000b1',
  contact_id: imara.id,
  content: 'שלום',
  created_at: imara.created_at,
  updated_at: imara.updated_at,
  version: 1,
}
const routes = {
  'GET /api/session': nora,
  'GET /api/contacts': makePage([contact]),
  'GET /api/contacts/count': { count: 1, more: false },
  'GET /api/contacts/{id}': contact,
  'GET /api/changes': { rows: [], next: null },
  'GET /api/notes': { rows: [note], next: null, count: 1 },
  'GET /api/deals/count': { count: 0, more: false },
  'GET /api/tasks/count': { count: 0, more: false },
  'GET /api/files/count': { count: 0, more: false },
  'GET /api/views': { rows: [] },
}

beforeEach(() => {
  setElementSize()
  setWindowWidth(1280)
})

/** Requires that the browser finds the direction of the text of an element by its letters. */
const expectAutomaticDirection = (element: HTMLElement): void => expect(element.closest('[dir="auto"]'), element.outerHTML).not.toBeNull()

test('each text in a list takes its direction from its letters', async () => {
  mockServer(routes)
  await renderApp('/crm/contacts?columns=company,title,tags,notes')
  expectAutomaticDirection(await screen.findByRole('link', { name: 'נועה לוי' }))
  for (const text of [contact.company, contact.title, 'חשוב', contact.description]) expectAutomaticDirection(screen.getByText(text))
})

test('the name, the values and the notes of a record take their direction from their letters', async () => {
  mockServer(routes)
  await renderApp(`/crm/contacts/${imara.id}?tab=notes`)
  expectAutomaticDirection(await screen.findByText('שלום'))
  expectAutomaticDirection(screen.getByRole('heading', { name: 'נועה לוי' }))
  for (const text of [contact.department, contact.description, 'חשוב']) expectAutomaticDirection(screen.getByText(text))
  expect(screen.getByLabelText('New note').getAttribute('dir')).toBe('auto')
})

test('the fields of a form take the direction of what is typed', async () => {
  mockServer(routes)
  await renderApp(`/crm/contacts/edit/${imara.id}`)
  expect((await screen.findByLabelText(/^First name/)).getAttribute('dir')).toBe('auto')
  expect(screen.getByLabelText(/^Description/).getAttribute('dir')).toBe('auto')
})
