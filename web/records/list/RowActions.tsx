import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import type { Icon } from '#web/lib/features.ts'
import type { Column } from '#web/ui/TableRow.tsx'
import type { RecordKind } from '#web/records/kind/kind.ts'
import classes from './RowActions.module.css'

/** The last column of every list, with the actions of a row. */
export const createActionsColumn = <Row extends { id: string }>({
  singular,
  titleOf,
}: Pick<RecordKind<Row>, 'singular' | 'titleOf'>): Column<Row> => ({
  name: 'actions',
  label: 'Actions',
  isLabelHidden: true,
  cell: (row, isInTabOrder) => {
    const name = titleOf(row)
    const buttons = [
      { action: 'edit', icon: IconPencil, label: `Edit ${name}`, hint: `Edit ${singular} (E)` },
      { action: 'delete', icon: IconTrash, label: `Delete ${name}`, hint: `Delete ${singular} (Del)` },
      { action: 'menu', icon: IconDots, label: `More for ${name}` },
    ]
    return <RowButtons buttons={buttons} isInTabOrder={isInTabOrder} />
  },
})

type RowButton = {
  /** The `data-action` of the button. The buttons of other actions than "menu" are hidden on touch screens. */
  action: string
  icon: Icon
  /** The label, with the title of the row: "Edit Imara Vantongeren". */
  label: string
  /** The text on hover: "Edit contact (E)". */
  hint?: string
}

/**
 * The buttons of a row, in its last cell. They are plain HTML buttons, because three Mantine buttons per row make scrolling slow. The table
 * handles their clicks by `data-action`. They cover the end of the cell before, so `data-row-background` gives them the background of the
 * row.
 */
export function RowButtons({ buttons, isInTabOrder }: { buttons: readonly RowButton[]; isInTabOrder: boolean }) {
  return (
    <div className={classes['actions']} data-row-background>
      {buttons.map(({ action, icon: ButtonIcon, label, hint }) => (
        <button
          key={action}
          type="button"
          data-action={action}
          aria-label={label}
          title={hint}
          aria-haspopup={action === 'menu' ? 'menu' : undefined}
          tabIndex={isInTabOrder ? 0 : -1}
        >
          <ButtonIcon size={16} stroke={1.75} />
        </button>
      ))}
    </div>
  )
}
