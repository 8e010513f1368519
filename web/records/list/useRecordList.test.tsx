import { act, renderHook, waitFor } from '@testing-library/react'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { contactKind } from '#web/contacts/contactKind.tsx'
import { numberedContacts } from '#web/contacts/testing.ts'
import { queries, refreshTables } from '#web/lib/queries.ts'
import { mockServer } from '#web/testing.ts'
import { useRecordList } from './useRecordList.ts'

const listRoute = 'GET /api/contacts'
const newestFirst = { search: '', filter: [], sort: 'newest', order: 'asc' } as const

/** 1,900 contacts: 100 on the first page, 200 on each of the nine others. */
const manyContacts = {
  'GET /api/contacts/count': { count: 1000, more: true },
  [listRoute]: ({ query }: { query: Record<string, string> }) => {
    const from = Number(query['after'] ?? 0) + 1
    const to = from + Number(query['limit']) - 1
    return { rows: numberedContacts(from, to), next: to < 1900 ? String(to) : null }
  },
}

const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={queries}>{children}</QueryClientProvider>

/** Loads all ten pages; `requested` gives the cursors of the pages that were requested since. */
async function loadTenPages() {
  const server = mockServer(manyContacts)
  const { result } = renderHook(() => useRecordList(contactKind, newestFirst), { wrapper })
  const cursors = () => server.requestsTo(listRoute).map(({ query }) => query['after'] ?? '')
  for (let loaded = 100; loaded <= 1900; loaded += 200) {
    await waitFor(() => expect(result.current.rows).toHaveLength(loaded))
    act(() => result.current.setVisibleRows(loaded - 20, loaded - 1))
    if (loaded < 1900) act(() => result.current.more())
  }
  expect(cursors()).toHaveLength(10)
  return { server, list: result, requested: () => cursors().slice(10) }
}

test('a change refetches the visible page only, and the others when they become visible', async () => {
  const { list, requested } = await loadTenPages()
  act(() => list.current.setVisibleRows(0, 19))
  await act(() => refreshTables(['crm_contacts']))
  expect(requested()).toEqual([''])
  act(() => list.current.setVisibleRows(1000, 1019))
  await waitFor(() => expect(requested()).toEqual(['', '900']))
  await waitFor(() => expect(list.current.retrying).toBe(false))
  act(() => list.current.setVisibleRows(0, 19))
  act(() => list.current.setVisibleRows(1000, 1019))
  expect(requested()).toEqual(['', '900'])
  expect(list.current.rows).toHaveLength(1900)
})

test('the next change refetches the page that is visible then', async () => {
  const { list, requested } = await loadTenPages()
  act(() => list.current.setVisibleRows(0, 19))
  await act(() => refreshTables(['crm_contacts']))
  act(() => list.current.setVisibleRows(1000, 1019))
  await waitFor(() => expect(list.current.retrying).toBe(false))
  await act(() => refreshTables(['crm_contacts']))
  expect(requested()).toEqual(['', '900', '900'])
})

test('both visible pages are refetched, each from where the one before ends, and a row on both is shown once', async () => {
  const { server, list, requested } = await loadTenPages()
  act(() => list.current.setVisibleRows(290, 309))
  const added = numberedContacts(5000, 5000)
  server.setHandlers({
    [listRoute]: (request: { query: Record<string, string> }) => {
      const page = manyContacts[listRoute](request)
      return request.query['after'] === '100' ? { rows: [...added, ...page.rows.slice(0, -1)], next: '299' } : page
    },
  })
  await act(() => refreshTables(['crm_contacts']))
  expect(requested()).toEqual(['100', '299'])
  await waitFor(() => expect(list.current.total).toBeUndefined())
  const ids = list.current.rows.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toHaveLength(1900)
})
