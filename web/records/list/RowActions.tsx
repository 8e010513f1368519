import { IconDots, IconPencil, IconTrash, IconCheckbox } from '@tabler/icons-react'
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
  cell: (row, isInTabOrder) => <Actions noun={singular} name={titleOf(row)} isInTabOrder={isInTabOrder} />,
})

/** `noun`: the name of the kind, "contact". `name`: the title of the row. */
type ActionsProps = { noun: string; name: string; isInTabOrder: boolean }

/**
 * The buttons of a row. They are plain HTML buttons, because three Mantine buttons per row make scrolling slow. The table handles their clicks
 * by `data-action`.
 */
function Actions({ noun, name, isInTabOrder }: ActionsProps) {
  const tabIndex = isInTabOrder ? 0 : -1
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
      {kind.links?.(row).map(({ label, icon: Icon, href }) => (
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
