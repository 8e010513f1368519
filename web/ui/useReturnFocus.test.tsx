import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { View } from '#contract/views.ts'
import { makeNumberedContacts, setElementSize, imara } from '#web/contacts/testing.ts'
import { changeResponse, nora, renderApp, mockServer, setWindowWidth } from '#web/testing.ts'

/** A saved view of the contacts: those whose lead source is Web. */
const webPeople: View = {
  id: '01930000-0000-7000-8000-0000000000a5',
  list: 'contacts',
  name: 'Web people',
  address: `filter=${encodeURIComponent(JSON.stringify([{ field: 'lead_source', is: ['Web'] }]))}`,
  created_at: imara.created_at,
  updated_at: imara.created_at,
  version: 1,
}
const routes = {
  'GET /api/session': nora,
  'GET /api/contacts': { rows: makeNumberedContacts(1, 3), next: null },
  'GET /api/contacts/count': { count: 3, more: false },
  'GET /api/contacts/tags': { tags: [{ tag: 'VIP', count: 3 }] },
  'GET /api/companies': { rows: [], next: null },
  'GET /api/views': { rows: [webPeople] },
}
const waitForRows = () => screen.findByRole('link', { name: 'Person 1' })
const pressEscape = () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })

beforeEach(() => {
  setElementSize()
  setWindowWidth(1280)
})

/** Opens a dialog with a button and waits until the focus is in it. */
async function openDialog(button: HTMLElement): Promise<HTMLElement> {
  button.focus()
  fireEvent.click(button)
  const dialog = await screen.findByRole('dialog')
  await waitFor(() => expect(dialog.querySelector('form, ul')).toBeTruthy())
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true))
  return dialog
}

/** Waits until all dialogs are closed and returns the focused element. */
async function waitForFocus(): Promise<Element | null> {
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.activeElement).not.toBe(document.body))
  return document.activeElement
}

test.each([
  [1280, 'Filter', ''],
  [1280, 'Lead source Web', `?${webPeople.address}`],
  [390, 'Filter', ''],
])('in a window of %d px, Escape returns the focus to the button “%s” each time the dialog was open', async (width, name, search) => {
  setWindowWidth(width)
  mockServer(routes)
  await renderApp(`/crm/contacts${search}`)
  await waitForRows()
  const button = await screen.findByRole('button', { name })
  // twice, because the code of the dialog is loaded only the first time
  for (let opening = 1; opening <= 2; opening++) {
    await openDialog(button)
    pressEscape()
    expect(await waitForFocus()).toBe(button)
  }
})

test.each(['Edit', 'Tag'])('Escape returns the focus to the button %s of the selection bar', async (name) => {
  mockServer(routes)
  await renderApp('/crm/contacts')
  await waitForRows()
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Person 1' }))
  const button = await screen.findByRole('button', { name })
  await openDialog(button)
  pressEscape()
  expect(await waitForFocus()).toBe(button)
})

test('while the tags for a filter are loading, the focus stays in the filter, and Escape returns it to the button', async () => {
  const tags = Promise.withResolvers<object>()
  mockServer({ ...routes, 'GET /api/contacts/tags': () => tags.promise })
  await renderApp('/crm/contacts')
  await waitForRows()
  const button = screen.getByRole('button', { name: 'Filter' })
  const popover = await openDialog(button)
  fireEvent.click(await screen.findByRole('button', { name: 'Tags' }))
  await screen.findByRole('form', { name: 'Tags' })
  await waitFor(() => expect(popover.contains(document.activeElement)).toBe(true))
  pressEscape()
  expect(await waitForFocus()).toBe(button)
  tags.resolve(routes['GET /api/contacts/tags'])
})

test('after a view is renamed or the dialog is cancelled, the focus returns to the button of the views menu', async () => {
  const renamedView = { ...webPeople, name: 'Ours', version: 2 }
  const server = mockServer({ ...routes, 'PATCH /api/views/{id}': changeResponse('c-1', renamedView) })
  await renderApp(`/crm/contacts?${webPeople.address}`)
  await waitForRows()
  const button = await screen.findByRole('button', { name: 'View: Web people' })
  const rename = async (): Promise<HTMLElement> => {
    fireEvent.click(button)
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Rename this view' }))
    const field = await screen.findByRole('textbox', { name: 'Name' })
    field.focus()
    return field
  }
  await rename()
  pressEscape()
  expect(await waitForFocus()).toBe(button)
  const field = await rename()
  fireEvent.change(field, { target: { value: 'Ours' } })
  server.setHandlers({ 'GET /api/views': { rows: [renamedView] } })
  fireEvent.submit(field)
  await screen.findByRole('button', { name: 'View: Ours' })
  expect(await waitForFocus()).toBe(button)
})
