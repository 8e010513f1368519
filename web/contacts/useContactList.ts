import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { countLimit } from '#contract/contacts.ts'
import { usePagedList } from '#web/records/usePagedList.ts'
import { contactCount, contactPages } from './queries.ts'
import type { Search } from './search.ts'

export const useContactList = (search: Search) =>
  usePagedList(useInfiniteQuery(contactPages(search)), useQuery(contactCount(search.search)), countLimit)
