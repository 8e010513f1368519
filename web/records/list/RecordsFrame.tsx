import { useNavigate } from '@tanstack/react-router'
import { useRef, type ReactNode } from 'react'
import { capitalised } from '#web/lib/format.ts'
import { useActions } from '#web/lib/actions.ts'
import { sentenceOf } from '#web/lib/toasts.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { AddRecord, NoRecords, NothingFound } from './EmptyList.tsx'
import type { RecordKind } from '#web/records/kind/kind.ts'
import type { ListSearch, ListQuery, ChangeSearch } from '#web/records/address/listSearch.ts'
import { ListTools } from './ListTools.tsx'
import { ExportMenu } from '#web/records/bulk/ExportMenu.tsx'
import classes from './RecordsPage.module.css'

type ListState = {
  /** How many there are, in words; null while that is not known. */
  count: string | null
  /** Nothing is found. */
  empty: boolean
  failure: Error | null
  retry: () => void
  retrying: boolean
}

type RecordsFrameProps<Row extends { id: string }> = {
  kind: RecordKind<Row>
  search: ListSearch
  change: ChangeSearch
  /** What the server is asked for: the search, and what else holds. */
  query: ListQuery
  list: ListState
  tabs?: ReactNode
  actions?: ReactNode
  /** Stands there when nothing is found though nobody looks for something: what the open tab says then. */
  nothing?: ReactNode
  /** Without sort and columns: for a board, which has an order of its own. */
  unsorted?: boolean
  /** The rows, cards or whatever shows what is found. */
  children: ReactNode
}

/** The page around the records of a kind: how many, search and filters, the primary action, and what stands there when nothing does. */
export function RecordsFrame<Row extends { id: string }>(props: RecordsFrameProps<Row>) {
  const { kind, search, change, query, list, tabs, actions, nothing, unsorted = false, children } = props
  const field = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const isFiltered = query.search !== '' || query.filter.length > 0
  const isEmpty = list.empty && !isFiltered
  const title = capitalised(kind.plural)
  useActions([
    { keys: 'n', label: `Add ${kind.singular}`, run: () => void navigate({ to: `${kind.path}/new`, search: kind.opensOver }) },
    { keys: '/', label: `Search ${kind.plural}`, run: () => focusAll(field.current) },
  ])
  return (
    <div className={classes['page']}>
      <PageBar
        title={title}
        count={isEmpty ? '0' : list.count}
        actions={
          !isEmpty && (
            <>
              {actions}
              <ExportMenu kind={kind} query={query} />
              <AddRecord kind={kind} />
            </>
          )
        }
      />
      {tabs}
      {!isEmpty && <ListTools kind={kind} search={search} change={change} unsorted={unsorted} fieldRef={field} />}
      {isEmpty && <NoRecords kind={kind} lined={!tabs} />}
      {list.failure && (
        <FailedState
          title={`${title} could not be loaded`}
          reason={sentenceOf(list.failure)}
          onRetry={list.retry}
          retrying={list.retrying}
        />
      )}
      {list.empty && !isEmpty && ((!isSearching(search) && nothing) || <NothingFound kind={kind} search={search} change={change} />)}
      {!list.failure && !list.empty && children}
    </div>
  )
}

const isSearching = ({ search, filter }: ListSearch): boolean => search !== '' || filter.length > 0

function focusAll(field: HTMLInputElement | null): void {
  field?.focus()
  field?.select()
}
