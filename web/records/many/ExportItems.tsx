import { Menu } from '@mantine/core'
import { IconAddressBook, IconFileSpreadsheet } from '@tabler/icons-react'
import type { Chosen } from './chosen.ts'
import { exportCards, exportTable, type ExportableKind } from './exporting.ts'
import type { Narrowing } from '#web/records/list/listSearch.ts'

type ExportItemsProps = { kind: ExportableKind; chosen: Chosen; sort: Pick<Narrowing, 'sort' | 'order'> }

const icon = { size: 16, stroke: 1.75 }

/** The kinds of file that records can be exported as. */
export const ExportItems = ({ kind, chosen, sort }: ExportItemsProps) => (
  <>
    <Menu.Item leftSection={<IconFileSpreadsheet {...icon} />} onClick={() => void exportTable(kind, chosen, sort)}>
      Export as CSV
    </Menu.Item>
    {kind.routes.exportCards && (
      <Menu.Item leftSection={<IconAddressBook {...icon} />} onClick={() => void exportCards(kind, chosen)}>
        Export as vCards
      </Menu.Item>
    )}
  </>
)
