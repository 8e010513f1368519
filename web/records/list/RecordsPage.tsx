import type { ReactNode } from 'react'
import type { Condition } from '#contract/lists.ts'
import { useShownRecords } from '#web/records/panel/shownRecords.ts'
import type { RecordKind } from '#web/records/kind/kind.ts'
import { RecordsFrame } from './RecordsFrame.tsx'
import { RecordsList } from './RecordsList.tsx'
import { useListSearch } from '#web/records/address/listSearch.ts'
import { useRecordList } from './useRecordList.ts'

type RecordsPageProps<Row extends { id: string }> = {
  kind: RecordKind<Row>
  /** Holds beside what the person filters by, and is not shown: the tab that is open. */
  within?: readonly Condition[]
  /** Stands between the page's bar and the tools. */
  tabs?: ReactNode
  /** Stands there when nothing is in the open tab. */
  nothing?: ReactNode
  /** Stands in the page's bar before the one primary action. */
  actions?: ReactNode
  /** A button of a row with `data-action` was pressed that is none of edit, delete, menu and copy. */
  onAction?: (action: string, row: Row) => void
}

const noConditions: readonly Condition[] = []

/** The list of a kind of record: found, filtered, sorted, chosen, opened, changed and taken out here. Its route takes `parseListParameters`. */
export function RecordsPage<Row extends { id: string }>({ kind, within = noConditions, onAction, ...around }: RecordsPageProps<Row>) {
  const { search, change } = useListSearch(kind)
  const { columns: _, ...narrowing } = search
  const query = { ...narrowing, filter: within.length > 0 ? [...within, ...search.filter] : search.filter }
  const list = useRecordList(kind, query)
  useShownRecords(list.rows)
  return (
    <RecordsFrame {...around} kind={kind} query={query} search={search} change={change} list={list}>
      <RecordsList kind={kind} list={list} query={query} search={search} change={change} onAction={onAction} />
    </RecordsFrame>
  )
}
