import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import type { Column } from '#web/ui/TableRow.tsx'
import type { ListKind } from './listKind.ts'
import classes from './RowActions.module.css'

/** The last column of every list: what can be done with a row. */
export const rowActions = <Row extends { id: string }>({ singular, nameOf }: Pick<ListKind<Row>, 'singular' | 'nameOf'>): Column<Row> => ({
  name: 'actions',
  label: 'Actions',
  labelHidden: true,
  cell: (row, reachable) => <Actions noun={singular} name={nameOf(row)} reachable={reachable} />,
})

type ActionsProps = { noun: string; name: string; reachable: boolean }

/** Plain buttons: a Mantine button for each row and action makes scrolling stutter. */
function Actions({ noun, name, reachable }: ActionsProps) {
  const tabIndex = reachable ? 0 : -1
  return (
    <div className={classes['actions']} data-over>
      <button type="button" data-action="edit" aria-label={`Edit ${name}`} title={`Edit ${noun} (E)`} tabIndex={tabIndex}>
        <IconPencil size={16} stroke={1.75} aria-hidden />
      </button>
      <button type="button" data-action="delete" aria-label={`Delete ${name}`} title={`Delete ${noun} (Del)`} tabIndex={tabIndex}>
        <IconTrash size={16} stroke={1.75} aria-hidden />
      </button>
      <button type="button" data-action="menu" aria-label={`More for ${name}`} aria-haspopup="menu" tabIndex={tabIndex}>
        <IconDots size={16} stroke={1.75} aria-hidden />
      </button>
    </div>
  )
}
