import { useNavigate } from '@tanstack/react-router'
import { useRef, type ReactNode } from 'react'
import { capitalise } from '#web/lib/format.ts'
import { useActions } from '#web/lib/actions.ts'
import { describeError } from '#web/lib/toasts.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { AddRecord, NoRecords, NothingFound } from './EmptyList.tsx'
import type { RecordKind } from '#web/records/kind/kind.ts'
import type { ListSearch, ListQuery, ChangeSearch } from '#web/records/address/listSearch.ts'
import { ListTools } from './ListTools.tsx'
import { ExportMenu } from '#web/records/bulk/ExportMenu.tsx'
import classes from './RecordsPage.module.css'

type ListState = {
  /** The formatted number of records; null while it is unknown. */
  count: string | null
  empty: boolean
  failure: Error | null
  retry: () => void
  retrying: boolean
}

type RecordsFrameProps<Row extends { id: string }> = {
  kind: RecordKind<Row>
  search: ListSearch
  change: ChangeSearch
  /** The query that is sent to the server: the search of the URL, and the conditions of the open tab. */
  query: ListQuery
  list: ListState
  tabs?: ReactNode
  actions?: ReactNode
  /** Shown when the open tab is empty and the user has set no search or filter. */
  emptyTab?: ReactNode
  /** Hides the menus for sort and columns, because a board has a fixed order. */
  unsorted?: boolean
  /** The table or board with the records. */
  children: ReactNode
}

/** The page around a list or a board: title, count, actions, toolbar, and the empty and failed states. */
export function RecordsFrame<Row extends { id: string }>(props: RecordsFrameProps<Row>) {
  const { kind, search, change, query, list, tabs, actions, emptyTab, unsorted = false, children } = props
  const field = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const isFiltered = query.search !== '' || query.filter.length > 0
  const isEmpty = list.empty && !isFiltered
  const title = capitalise(kind.plural)
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
          reason={describeError(list.failure)}
          onRetry={list.retry}
          retrying={list.retrying}
        />
      )}
      {list.empty && !isEmpty && ((!isSearching(search) && emptyTab) || <NothingFound kind={kind} search={search} change={change} />)}
      {!list.failure && !list.empty && children}
    </div>
  )
}

const isSearching = ({ search, filter }: ListSearch): boolean => search !== '' || filter.length > 0

function focusAll(field: HTMLInputElement | null): void {
  field?.focus()
  field?.select()
}
