import { Loader } from '@mantine/core'
import { IconDownload, IconFolderSymlink, IconTrash } from '@tabler/icons-react'
import { selectionLimits, zipLimits } from '#contract/fileSelection.ts'
import { formatNumber } from '#web/lib/format.ts'
import { SelectAllButton, SelectionBar, SelectionButton } from '#web/ui/SelectionBar.tsx'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import { formatCounts, formatEntryCounts } from '../actions/describeEntries.ts'
import { countSelected, hasTooManyEntries, type Everything, type Selected } from '../kind/selected.ts'
import type { EntryCommands } from './useEntryCommands.tsx'

const iconProps = { size: 16, stroke: 1.75 }

type SelectedEntriesProps = {
  selected: Selected
  /** What "Select all" selects: everything in the list, also what is not loaded. Undefined hides the button. */
  everythingToSelect: Everything | undefined
  commands: EntryCommands
  /** Selects all loaded entries. Undefined when all of them are selected. */
  onSelectLoaded: (() => void) | undefined
  onSelectAll: () => void
  onClear: () => void
}

/**
 * The bar with what can be done with the selected folders and files. Its buttons are disabled when there are too many entries for a
 * command.
 */
export function SelectedEntries({ selected, everythingToSelect, commands, onSelectLoaded, onSelectAll, onClear }: SelectedEntriesProps) {
  useReturnFocus()
  const count = countSelected(selected)
  const isTooMany = hasTooManyEntries(selected)
  const isTooManyForZip = count > zipLimits.entries
  const limit = formatNumber(selected.everything ? selectionLimits.matching : selectionLimits.ids)
  if (commands.progress !== undefined)
    return (
      <SelectionBar count={formatNumber(count)} onClear={onClear}>
        <Loader size={16} aria-hidden />
        <output>{commands.progress} ...</output>
      </SelectionBar>
    )
  return (
    <SelectionBar
      count={isTooMany && selected.everything ? `more than ${limit}` : formatNumber(count)}
      onClear={onClear}
      onSelectLoaded={onSelectLoaded}
      selectAllButton={
        everythingToSelect && <SelectAllButton onClick={onSelectAll}>Select all {formatCounts(everythingToSelect)}</SelectAllButton>
      }
    >
      <SelectionButton
        label={isTooManyForZip ? `Download at most ${formatNumber(zipLimits.entries)} at once` : 'Download'}
        icon={<IconDownload {...iconProps} />}
        disabled={isTooManyForZip}
        onClick={() => commands.download(selected)}
      />
      <SelectionButton
        label="Move"
        icon={<IconFolderSymlink {...iconProps} />}
        disabled={isTooMany}
        onClick={() => commands.move(selected)}
      />
      <SelectionButton
        label={isTooMany ? `Delete at most ${limit} at once` : `Delete ${formatEntryCounts(selected)}`}
        disabled={isTooMany}
        icon={<IconTrash {...iconProps} />}
        isDangerous
        onClick={() => commands.remove(selected)}
      />
    </SelectionBar>
  )
}
