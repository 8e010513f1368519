import { Button } from '@mantine/core'
import { Fragment, useEffect } from 'react'
import { ConditionText } from '#web/records/filters/ConditionText.tsx'
import { getFilterFields, isOnField, type FilterableKind } from '#web/records/filters/filtering.ts'
import type { RecordKind } from '#web/records/kind/kind.ts'
import type { ListSettings, ChangeSettings } from '#web/records/address/listSettings.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'

type NothingFoundProps = {
  kind: FilterableKind & Pick<RecordKind<{ id: string }>, 'singular' | 'searchedFields'>
  settings: ListSettings
  changeSettings: ChangeSettings
}

/** Shown when no record matches the search text and the filters, with buttons that clear them. */
export function NothingFound({ kind, settings, changeSettings }: NothingFoundProps) {
  const { search: searchText, filter } = settings
  // if the focused row was removed while this code was loading, `useReturnFocus` has focused `main`, because there was no button yet
  useEffect(() => {
    const { activeElement } = document
    if (activeElement?.matches('main')) activeElement.querySelector<HTMLElement>('[data-first-step] button')?.focus({ preventScroll: true })
  }, [])
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
    const field = fields.find((each) => isOnField(each, condition))
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
