import { getLabel, type RecordKind } from '#web/records/kind/kind.ts'
import type { ChangeSettings, ListSettings } from '#web/records/address/listSettings.ts'
import { SortMenu } from '#web/ui/SortMenu.tsx'

type SortedKind = Pick<RecordKind<{ id: string }>, 'sorts' | 'fields' | 'titleColumn'>
type ListSortMenuProps = { kind: SortedKind; settings: ListSettings; changeSettings: ChangeSettings }

/** The menu that shows and changes the sort of a list. */
export function ListSortMenu({ kind, settings, changeSettings }: ListSortMenuProps) {
  const choices = getSortChoices(kind)
  const current = choices.find(({ sort, order }) => sort === settings.sort && order === settings.order)
  return (
    <SortMenu
      choices={choices}
      value={current?.name ?? ''}
      onChange={(name) => {
        const choice = choices.find((each) => each.name === name)
        if (choice) changeSettings({ sort: choice.sort, order: choice.order })
      }}
    />
  )
}

/** An option of the sort menu. `name` identifies the option; `sort` and `order` are what the list requests. */
type SortChoice = { name: string; label: string; sort: string; order: 'asc' | 'desc' }

/** Returns the options of the sort menu: newest first, then both orders of each sort. */
function getSortChoices(kind: SortedKind): SortChoice[] {
  const others = kind.sorts.flatMap(({ name, label = getLabel(kind, name), ascending = 'A to Z', descending = 'Z to A' }): SortChoice[] => [
    { name, label: `${label}, ${ascending}`, sort: name, order: 'asc' },
    { name: `${name}-desc`, label: `${label}, ${descending}`, sort: name, order: 'desc' },
  ])
  // the sort `newest` has only one order, so the server ignores `asc`
  return [{ name: 'newest', label: 'Newest first', sort: 'newest', order: 'asc' }, ...others]
}
