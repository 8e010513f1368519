import { useMediaQuery } from '@mantine/hooks'
import { useElementScrollRestoration } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ContactRow } from '#contract/contacts.ts'
import type { Cursor } from '#web/ui/cursor.ts'
import { LoadingRows } from '#web/ui/LoadingRows.tsx'
import type { Selection } from '#web/ui/selection.ts'
import { VirtualTable } from '#web/ui/VirtualTable.tsx'
import { contactColumns } from './contactColumns.tsx'
import { fullName } from './links.ts'
import type { Search } from './search.ts'

type ContactsTableProps = {
  rows: readonly ContactRow[]
  total: number | undefined
  search: Search
  onSort: (column: string) => void
  selection: Selection
  cursor: Cursor
  onOpen: (contact: ContactRow) => void
  onAction: (action: string, contact: ContactRow, button: HTMLElement) => void
  /** More rows are on their way, or all rows at the first time. */
  loading: boolean
  /** These rows belong to the search before. */
  stale: boolean
  onNearEnd: () => void
}

const scrollName = 'contacts'

export function ContactsTable({ rows, search, loading, stale, ...table }: ContactsTableProps) {
  const isPhone = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  const columns = useMemo(() => contactColumns(isPhone), [isPhone])
  const startAt = useElementScrollRestoration({ id: scrollName })?.scrollY ?? 0
  return (
    <VirtualTable
      {...table}
      label="Contacts"
      columns={columns}
      rows={rows}
      rowName={fullName}
      tapChooses={isPhone}
      rowHeight={isPhone ? 60 : 40}
      headHeight={isPhone ? 0 : 34}
      sorted={search.sort === 'newest' ? undefined : { column: search.sort, order: search.order }}
      startAt={startAt}
      scrollName={scrollName}
      listName={`${search.search} ${search.sort} ${search.order}`}
      below={loading && <LoadingRows columns={columns} count={rows.length === 0 ? 20 : 3} />}
      busy={loading || stale}
    />
  )
}
