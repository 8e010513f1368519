import { ActionIcon } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { getDefaultColumnNames, getOptionalColumns } from './columns.ts'
import type { RecordKind } from '#web/records/kind/kind.ts'
import type { ListSettings, ChangeSettings } from '#web/records/address/listSettings.ts'
import { MenuButton } from '#web/ui/MenuButton.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'

type ColumnsMenuProps<Row extends { id: string }> = { kind: RecordKind<Row>; settings: ListSettings; changeSettings: ChangeSettings }

/** Shows and hides the columns of a list. */
export function ColumnsMenu<Row extends { id: string }>({ kind, settings, changeSettings }: ColumnsMenuProps<Row>) {
  const columns = getOptionalColumns(kind)
  const visibleNames = settings.columns ?? getDefaultColumnNames(kind)
  const toggle = (name: string): void => {
    const selectedNames = visibleNames.includes(name) ? visibleNames.filter((each) => each !== name) : [...visibleNames, name]
    const namesInOrder = columns.map((column) => column.name).filter((each) => selectedNames.includes(each))
    // no column has the name `none`, so this name hides all columns; an empty list of names would show the default columns
    changeSettings({ columns: namesInOrder.length > 0 ? namesInOrder : ['none'] })
  }
  return (
    <MenuButton
      position="bottom-end"
      width={220}
      closeOnItemClick={false}
      button={
        <Tooltip label="Columns">
          <ActionIcon aria-label="Columns">
            <IconColumns3 size={18} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      }
    >
      {(Menu) => (
        <>
          <Menu.Label>Columns</Menu.Label>
          {columns.map(({ name, label }) => (
            <Menu.CheckboxItem key={name} value={name} checked={visibleNames.includes(name)} onChange={() => toggle(name)}>
              {label}
            </Menu.CheckboxItem>
          ))}
          {settings.columns && (
            <>
              <Menu.Divider />
              {/* the item disappears and would take the focus with it; when the menu closes, the focus returns to the button */}
              <Menu.Item closeMenuOnClick onClick={() => changeSettings({ columns: undefined })}>
                Show the usual columns
              </Menu.Item>
            </>
          )}
        </>
      )}
    </MenuButton>
  )
}
