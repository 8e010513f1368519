import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { defaultColumns, otherColumns } from './columns.ts'
import type { RecordKind } from '#web/records/kind/kind.ts'
import type { ListSearch, ChangeSearch } from '#web/records/address/listSearch.ts'

type ColumnsMenuProps<Row extends { id: string }> = { kind: RecordKind<Row>; search: ListSearch; change: ChangeSearch }

export function ColumnsMenu<Row extends { id: string }>({ kind, search, change }: ColumnsMenuProps<Row>) {
  const columns = otherColumns(kind)
  const shown = search.columns ?? defaultColumns(kind)
  const toggle = (name: string): void => {
    const next = columns.filter((column) => (column.name === name) !== shown.includes(column.name)).map((column) => column.name)
    change({ columns: next.length > 0 ? next : ['none'] })
  }
  return (
    <Menu position="bottom-end" width={220} closeOnItemClick={false}>
      <Menu.Target>
        <Tooltip label="Columns">
          <ActionIcon aria-label="Columns">
            <IconColumns3 size={18} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Columns</Menu.Label>
        {columns.map(({ name, label }) => (
          <Menu.CheckboxItem key={name} value={name} checked={shown.includes(name)} onChange={() => toggle(name)}>
            {label}
          </Menu.CheckboxItem>
        ))}
        {search.columns && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={() => change({ columns: undefined })}>Show the usual columns</Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
