import { act, renderHook, waitFor } from '@testing-library/react'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { contactKind } from '#web/contacts/contactKind.tsx'
import { makeNumberedContacts } from '#web/contacts/testing.ts'
import { queries, refreshTables } from '#web/lib/queries.ts'
import { mockServer } from '#web/testing.ts'
import { useRecordList } from './useRecordList.ts'

const listRoute = 'GET /api/contacts'
const newestFirst = { search: '', filter: [], sort: 'newest', order: 'asc' } as const

/** The server has 1,900 contacts: 100 on the first page and 200 on each of nine more pages. */
const manyContacts = {
  'GET /api/contacts/count': { count: 1000, more: true },
  [listRoute]: ({ query }: { query: Record<string, string> }) => {
    const from = Number(query['after'] ?? 0) + 1
    const to = from + Number(query['limit']) - 1
    return { rows: makeNumberedContacts(from, to), next: to < 1900 ? String(to) : null }
  },
}

const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={queries}>{children}</QueryClientProvider>

/** Loads all ten pages. `requestedCursors` returns the cursors of the pages that were requested after that. */
async function loadTenPages() {
  const server = mockServer(manyContacts)
  const { result } = renderHook(() => useRecordList(contactKind, newestFirst), { wrapper })
  const cursors = () => server.requestsTo(listRoute).map(({ query }) => query['after'] ?? '')
  for (let loadedCount = 100; loadedCount <= 1900; loadedCount += 200) {
    await waitFor(() => expect(result.current.rows).toHaveLength(loadedCount))
    act(() => result.current.setVisibleRows(loadedCount - 20, loadedCount - 1))
    if (loadedCount < 1900) act(() => result.current.loadNextPage())
  }
  expect(cursors()).toHaveLength(10)
  return { server, list: result, requestedCursors: () => cursors().slice(10) }
}

test('a change refetches only the visible page, and each other page when the user scrolls to it', async () => {
  const { list, requestedCursors } = await loadTenPages()
  act(() => list.current.setVisibleRows(0, 19))
  await act(() => refreshTables(['crm_contacts']))
  expect(requestedCursors()).toEqual(['']) // the first page has no cursor
  act(() => list.current.setVisibleRows(1000, 1019))
  await waitFor(() => expect(requestedCursors()).toEqual(['', '900'])) // the page with the rows 900 to 1099
  await waitFor(() => expect(list.current.isRetrying).toBe(false))
  act(() => list.current.setVisibleRows(0, 19))
  act(() => list.current.setVisibleRows(1000, 1019))
  expect(requestedCursors()).toEqual(['', '900'])
  expect(list.current.rows).toHaveLength(1900)
})

test('a second change refetches the page that is visible at that time', async () => {
  const { list, requestedCursors } = await loadTenPages()
  act(() => list.current.setVisibleRows(0, 19))
  await act(() => refreshTables(['crm_contacts']))
  act(() => list.current.setVisibleRows(1000, 1019))
  await waitFor(() => expect(list.current.isRetrying).toBe(false))
  await act(() => refreshTables(['crm_contacts']))
  expect(requestedCursors()).toEqual(['', '900', '900']) // the page with the rows 900 to 1099 again
})

test('two visible pages are refetched, the second from the new end of the first, and no row appears twice', async () => {
  const { server, list, requestedCursors } = await loadTenPages()
  act(() => list.current.setVisibleRows(290, 309)) // rows of the second and the third page
  const addedContacts = makeNumberedContacts(5000, 5000)
  // the second page now begins with a new contact, so it ends one contact earlier
  server.setHandlers({
    [listRoute]: (request: { query: Record<string, string> }) => {
      const page = manyContacts[listRoute](request)
      return request.query['after'] === '100' ? { rows: [...addedContacts, ...page.rows.slice(0, -1)], next: '299' } : page
    },
  })
  await act(() => refreshTables(['crm_contacts']))
  expect(requestedCursors()).toEqual(['100', '299'])
  await waitFor(() => expect(list.current.total).toBeUndefined()) // unknown while the other pages are stale
  const ids = list.current.rows.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toHaveLength(1900) // one contact was added, and contact 500 is missing until the fourth page is refetched
})
