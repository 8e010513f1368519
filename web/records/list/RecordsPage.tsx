import type { ReactNode } from 'react'
import type { Condition } from '#contract/lists.ts'
import { usePublishVisibleRecords } from '#web/records/panel/visibleRecords.ts'
import type { RecordKind } from '#web/records/kind/kind.ts'
import { RecordsFrame } from './RecordsFrame.tsx'
import { RecordsList } from './RecordsList.tsx'
import { useListSettings } from '#web/records/address/listSettings.ts'
import { useRecordList } from './useRecordList.ts'

type RecordsPageProps<Row extends { id: string }> = {
  kind: RecordKind<Row>
  /** The conditions of the open tab. They are added to the user's filter, but not shown as filters. */
  tabConditions?: readonly Condition[]
  /** Shown between the page bar and the toolbar. */
  tabs?: ReactNode
  /** Shown when the open tab is empty and the user has set no search or filter. */
  emptyTab?: ReactNode
  /** Shown in the page bar before the primary action. */
  actions?: ReactNode
  /** Called for buttons of a row with a `data-action` other than edit, delete, menu and copy. */
  onAction?: (action: string, row: Row) => void
}

const noConditions: readonly Condition[] = []

/** The page with the list of a record kind. Its route needs `validateSearch: parseListParameters`. */
export function RecordsPage<Row extends { id: string }>({
  kind,
  tabConditions = noConditions,
  onAction,
  ...frameProps
}: RecordsPageProps<Row>) {
  const { settings, changeSettings } = useListSettings(kind)
  const { columns: _columns, ...userQuery } = settings
  const query = { ...userQuery, filter: [...tabConditions, ...settings.filter] }
  const list = useRecordList(kind, query)
  usePublishVisibleRecords(list.rows)
  return (
    <RecordsFrame {...frameProps} kind={kind} query={query} settings={settings} changeSettings={changeSettings} list={list}>
      <RecordsList kind={kind} list={list} query={query} settings={settings} changeSettings={changeSettings} onAction={onAction} />
    </RecordsFrame>
  )
}
