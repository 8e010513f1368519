import { IconDownload, IconFolderSymlink, IconTrash } from '@tabler/icons-react'
import { idsLimit } from '#contract/lists.ts'
import { formatNumber } from '#web/lib/format.ts'
import { SelectionBar, SelectionButton } from '#web/ui/SelectionBar.tsx'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import { countEntries } from '../actions/describeEntries.ts'
import type { Entry } from '../kind/entries.ts'
import type { EntryCommands } from './useEntryCommands.tsx'

const iconProps = { size: 16, stroke: 1.75 }

type SelectedEntriesProps = { entries: readonly Entry[]; commands: EntryCommands; onClear: () => void }

/** The bar with what can be done with the selected folders and files. */
export function SelectedEntries({ entries, commands, onClear }: SelectedEntriesProps) {
  useReturnFocus()
  const isTooMany = entries.length > idsLimit
  return (
    <SelectionBar count={formatNumber(entries.length)} onClear={onClear}>
      <SelectionButton
        label="Download"
        icon={<IconDownload {...iconProps} />}
        disabled={isTooMany}
        onClick={() => commands.download(entries)}
      />
      <SelectionButton
        label="Move"
        icon={<IconFolderSymlink {...iconProps} />}
        disabled={isTooMany}
        onClick={() => commands.move(entries)}
      />
      <SelectionButton
        label={isTooMany ? `Delete at most ${formatNumber(idsLimit)} at once` : `Delete ${countEntries(entries)}`}
        disabled={isTooMany}
        icon={<IconTrash {...iconProps} />}
        isDangerous
        onClick={() => commands.remove(entries)}
      />
    </SelectionBar>
  )
}
