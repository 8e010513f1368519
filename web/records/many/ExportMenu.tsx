import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { ListKind } from '#web/records/list/listKind.ts'
import type { Narrowing } from '#web/records/list/listSearch.ts'
import { ExportItems } from './ExportItems.tsx'

type ExportMenuProps<Row extends { id: string }> = { kind: ListKind<Row>; asked: Narrowing }

/** Everything that matches, as a file. */
export function ExportMenu<Row extends { id: string }>({ kind, asked }: ExportMenuProps<Row>) {
  const { search, filter } = asked
  const what = search || filter.length > 0 ? `All ${kind.plural} that match` : `All ${kind.plural}`
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Tooltip label="Export">
          <ActionIcon aria-label="Export">
            <IconDownload size={18} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{what}</Menu.Label>
        <ExportItems kind={kind} chosen={{ matching: { search, filter: [...filter] } }} sort={asked} />
      </Menu.Dropdown>
    </Menu>
  )
}
