import { IconDots, IconPencil, IconTrash, IconCheckbox } from '@tabler/icons-react'
import type { Icon } from '#web/lib/features.ts'
import type { Column } from '#web/ui/TableRow.tsx'
import type { RecordKind } from '#web/records/kind/kind.ts'
import classes from './RowActions.module.css'
import { Menu } from '@mantine/core'
import { ButtonMenu } from '#web/ui/ButtonMenu.tsx'
import { Shortcut } from '#web/ui/Shortcut.tsx'

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
 * The buttons of a row. They are plain HTML buttons, because three Mantine buttons per row make scrolling slow. The table handles their clicks
 * by `data-action`.
 */
export function RowButtons({ buttons, isInTabOrder }: { buttons: readonly RowButton[]; isInTabOrder: boolean }) {
  return (
    <div className={classes['actions']} data-over>
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

/** The row whose menu is open, and the button that opened the menu. */
export type OpenMenu<Row> = { row: Row; button: HTMLElement }

type RowMenuProps<Row extends { id: string }> = {
  kind: RecordKind<Row>
  menu: OpenMenu<Row>
  actions: { edit: (row: Row) => void; select: (row: Row) => void; remove: (row: Row) => void }
  onClose: () => void
}

const iconProps = { size: 16, stroke: 1.75 }

/** The menu of a row. */
export function RowMenu<Row extends { id: string }>({ kind, menu: { row, button }, actions, onClose }: RowMenuProps<Row>) {
  return (
    <ButtonMenu button={button} label={`More for ${kind.titleOf(row)}`} className={classes['menu']} onClose={onClose}>
      <Menu.Item leftSection={<IconPencil {...iconProps} />} rightSection={<Shortcut keys={['E']} />} onClick={() => actions.edit(row)}>
        Edit {kind.singular}
      </Menu.Item>
      {kind.menuLinks?.(row).map(({ label, icon: Icon, href }) => (
        <Menu.Item key={label} leftSection={<Icon {...iconProps} />} component="a" href={href}>
          {label}
        </Menu.Item>
      ))}
      <Menu.Item leftSection={<IconCheckbox {...iconProps} />} rightSection={<Shortcut keys={['X']} />} onClick={() => actions.select(row)}>
        Select
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item
        data-danger
        leftSection={<IconTrash {...iconProps} />}
        rightSection={<Shortcut keys={['Del']} />}
        onClick={() => actions.remove(row)}
      >
        Delete {kind.singular}
      </Menu.Item>
    </ButtonMenu>
  )
}
