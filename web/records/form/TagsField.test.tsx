import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { formRoutes, imara, setElementSize } from '#web/contacts/testing.ts'
import { mockServer, renderApp } from '#web/testing.ts'

const emptyCount = { count: 0, more: false }
const routes = {
  ...formRoutes,
  'GET /api/contacts/tags': { tags: [{ tag: 'VIP', count: 3 }] },
  'GET /api/notes': { rows: [], next: null, count: 0 },
  'GET /api/deals/count': emptyCount,
  'GET /api/tasks/count': emptyCount,
}
const getTags = () => screen.getByRole('combobox', { name: 'Tags optional' })
const isOpen = (): boolean => getTags().getAttribute('aria-expanded') === 'true'

/** Adds a tag, opens the suggestions and presses Escape. */
async function pressEscapeInSuggestions(): Promise<void> {
  fireEvent.change(getTags(), { target: { value: 'Museum' } })
  fireEvent.keyDown(getTags(), { key: 'Enter' })
  act(() => getTags().focus())
  fireEvent.click(getTags())
  await waitFor(() => expect(isOpen()).toBe(true))
  fireEvent.keyDown(getTags(), { key: 'Escape' })
}

beforeEach(setElementSize)

test('Escape closes the suggestions of the tags but not the form', async () => {
  mockServer(routes)
  const { router } = await renderApp('/crm/contacts/new')
  await screen.findByRole('textbox', { name: 'First name' })
  await pressEscapeInSuggestions()
  expect(isOpen()).toBe(false)
  expect(screen.queryByRole('dialog')).toBeNull() // no question whether to discard the tag
  expect(router.state.location.pathname).toBe('/crm/contacts/new')
})

test('Escape closes the suggestions of tags that are edited in place, and the added tag stays in the editor', async () => {
  mockServer({ ...routes, 'GET /api/contacts/{id}': { ...imara, tags: ['Dental'] } })
  await renderApp(`/crm/contacts/${imara.id}`)
  fireEvent.click(await screen.findByRole('button', { name: 'Edit tags' }))
  await pressEscapeInSuggestions()
  expect(isOpen()).toBe(false)
  expect(screen.getByText('Museum')).toBeTruthy()
})
