import { ActionIcon } from '@mantine/core'
import { IconDownload, IconAddressBook, IconFileSpreadsheet } from '@tabler/icons-react'
import type { RecordKind, ListRoutes } from '#web/records/kind/kind.ts'
import type { ListQuery } from '#web/records/address/listSettings.ts'
import type { BulkSelection } from './selection.ts'
import { callForFile } from '#web/lib/client.ts'
import { capitalise } from '#web/lib/format.ts'
import { toast, toastError } from '#web/lib/toasts.ts'
import type { Floating } from '#web/ui/floatingParts.ts'
import { MenuButton } from '#web/ui/MenuButton.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'

type ExportMenuProps<Row extends { id: string }> = { kind: RecordKind<Row>; query: ListQuery }

/** Exports all records that match the search text and the filter. */
export function ExportMenu<Row extends { id: string }>({ kind, query }: ExportMenuProps<Row>) {
  const { search, filter } = query
  const isFiltered = search !== '' || filter.length > 0
  return (
    <MenuButton
      position="bottom-end"
      width={220}
      button={
        <Tooltip label="Export">
          {/* the command palette finds the button by its label and by these keywords */}
          <ActionIcon aria-label="Export" data-keywords={kind.plural}>
            <IconDownload size={18} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      }
    >
      {(Menu) => (
        <>
          <Menu.Label>{isFiltered ? `All ${kind.plural} that match` : `All ${kind.plural}`}</Menu.Label>
          <ExportItems Menu={Menu} kind={kind} selection={{ matching: { search, filter: [...filter] } }} sort={query} />
        </>
      )}
    </MenuButton>
  )
}

type ExportItemsProps = Pick<Floating, 'Menu'> & { kind: ExportableKind; selection: BulkSelection; sort: Pick<ListQuery, 'sort' | 'order'> }

const iconProps = { size: 16, stroke: 1.75 }

/** The menu items for the file formats of an export. */
export const ExportItems = ({ Menu, kind, selection, sort }: ExportItemsProps) => (
  <>
    <Menu.Item leftSection={<IconFileSpreadsheet {...iconProps} />} onClick={() => void exportCsv(kind, selection, sort)}>
      Export as CSV
    </Menu.Item>
    {kind.routes.exportCards && (
      <Menu.Item leftSection={<IconAddressBook {...iconProps} />} onClick={() => void exportCards(kind, selection)}>
        Export as vCards
      </Menu.Item>
    )}
  </>
)

/** The parts of a record kind that an export uses. */
export type ExportableKind = { plural: string; routes: Pick<ListRoutes<unknown>, 'export' | 'exportCards'> }

/** Downloads records as CSV, in the order of the list. */
const exportCsv = ({ plural, routes }: ExportableKind, selection: BulkSelection, { sort, order }: Pick<ListQuery, 'sort' | 'order'>) =>
  saveFile(plural, callForFile(routes.export, { body: { ...selection, sort, order } }))

/** Downloads contacts as vCards for address books. */
async function exportCards({ plural, routes }: ExportableKind, selection: BulkSelection): Promise<void> {
  if (routes.exportCards) await saveFile(plural, callForFile(routes.exportCards, { body: selection }))
}

/** Downloads a file and shows a toast. `plural` is the name of the exported records: "contacts". */
async function saveFile(plural: string, file: ReturnType<typeof callForFile>): Promise<void> {
  try {
    const { name, content } = await file
    download(name, content)
    toast({ kind: 'success', title: `${capitalise(plural)} exported`, message: name })
  } catch (error) {
    toastError(error)
  }
}

/** How long the URL of a downloaded file stays valid. Some browsers read the file only after the user has selected a folder. */
const urlLifetimeMs = 60_000

function download(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), urlLifetimeMs)
}
