import { Button, Tooltip } from '@mantine/core'
import { Fragment } from 'react'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ConditionText } from '#web/records/filters/ConditionText.tsx'
import { getFilterFields, type FilterableKind } from '#web/records/filters/filtering.ts'
import { getLinkSearch, type RecordKind } from '#web/records/kind/kind.ts'
import type { ListSettings, ChangeSettings } from '#web/records/address/listSettings.ts'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import classes from './RecordsPage.module.css'

type NothingFoundProps = {
  kind: FilterableKind & Pick<RecordKind<{ id: string }>, 'singular' | 'searchedFields'>
  settings: ListSettings
  changeSettings: ChangeSettings
}

/** Shown when no record matches the search text and the filters, with buttons that clear them. */
export function NothingFound({ kind, settings, changeSettings }: NothingFoundProps) {
  const { search: searchText, filter } = settings
  return (
    <EmptyState
      hideIllustration
      title="Nothing found"
      actions={
        <>
          {searchText && (
            <Button variant="default" onClick={() => changeSettings({ search: '' })}>
              Clear search
            </Button>
          )}
          {filter.length > 0 && (
            <Button variant="default" onClick={() => changeSettings({ filter: [] }, { addsHistoryEntry: true })}>
              {filter.length === 1 ? 'Clear filter' : 'Clear filters'}
            </Button>
          )}
        </>
      }
    >
      {searchText ? `No ${kind.singular} has “${searchText}” in its ${kind.searchedFields}` : `There is no ${kind.singular} here`}
      {filter.length > 0 && ' with these filters: '}
      <Conditions kind={kind} filter={filter} />.
    </EmptyState>
  )
}

/** Shows the conditions as text: "City contains “Lon”; Tags VIP". */
function Conditions({ kind, filter }: { kind: FilterableKind; filter: ListSettings['filter'] }) {
  const fields = getFilterFields(kind)
  return filter.map((condition, index) => {
    const field = fields.find(({ name }) => name === condition.field)
    return (
      field && (
        <Fragment key={condition.field}>
          {index > 0 && '; '}
          {field.label} <ConditionText field={field} condition={condition} />
        </Fragment>
      )
    )
  })
}

/** Shown when there are no records of a kind. `hasTopLine` adds a line that separates it from the page bar. */
export function NoRecords<Row extends { id: string }>({ kind, hasTopLine }: { kind: RecordKind<Row>; hasTopLine: boolean }) {
  const { title, text, illustrationShapes } = kind.emptyList
  return (
    <div className={hasTopLine ? classes['topLine'] : undefined}>
      <EmptyState title={title} actions={<AddRecord kind={kind} />} illustrationShapes={illustrationShapes}>
        {text}
      </EmptyState>
    </div>
  )
}

/** The button that opens the form for a new record. */
export function AddRecord<Row extends { id: string }>({ kind }: { kind: RecordKind<Row> }) {
  const { singular, path } = kind
  return (
    <Tooltip label={`Add ${singular} (N)`}>
      <Button
        variant="filled"
        component={Link}
        to={`${path}/new`}
        search={getLinkSearch(kind)}
        leftSection={<IconPlus size={16} stroke={1.75} />}
        aria-keyshortcuts="n"
      >
        Add {singular}
      </Button>
    </Tooltip>
  )
}
