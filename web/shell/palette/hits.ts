import { IconBuilding, IconCheckbox, IconNote, IconTargetArrow, IconUser } from '@tabler/icons-react'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { searchRoutes, type Hit, type HitKind } from '#contract/search.ts'
import { call } from '#web/lib/client.ts'
import type { Icon } from '#web/lib/features.ts'

type Look = { word: string; icon: Icon; avatar?: 'round' | 'square'; to: (hit: Hit) => string }

/** How a hit of each kind looks, and where it opens. */
export const looks: Record<HitKind, Look> = {
  contact: { word: 'Contact', icon: IconUser, avatar: 'round', to: ({ id }) => `/crm/contacts/${id}` },
  company: { word: 'Company', icon: IconBuilding, avatar: 'square', to: ({ id }) => `/crm/companies/${id}` },
  deal: { word: 'Deal', icon: IconTargetArrow, to: ({ id }) => `/crm/deals/${id}` },
  task: { word: 'Task', icon: IconCheckbox, to: ({ id }) => `/crm/tasks/${id}` },
  note: { word: 'Note', icon: IconNote, to: ({ contact_id }) => `/crm/contacts/${contact_id}?tab=notes` },
}

const mostShown = 8
const tables = ['crm_contacts', 'companies', 'deals', 'tasks', 'notes']

/** Records that answer what was typed. While others are on their way the last ones stay. */
export const hitsQuery = (typed: string) =>
  queryOptions({
    queryKey: ['search', typed],
    meta: { tables },
    queryFn: ({ signal }) => call(searchRoutes.search, { query: { search: typed, limit: mostShown } }, { signal }),
    enabled: typed !== '',
    placeholderData: keepPreviousData,
    retry: false,
  })
