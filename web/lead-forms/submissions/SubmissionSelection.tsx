import { IconMailCheck, IconMailX, IconTrash } from '@tabler/icons-react'
import { maxSelectedIds } from '#contract/lists.ts'
import { formatNumber } from '#web/lib/format.ts'
import type { Selection } from '#web/ui/selection.ts'
import { SelectionBar, SelectionButton } from '#web/ui/SelectionBar.tsx'
import { useBulkChanges } from './queries.ts'

type SubmissionSelectionProps = {
  selection: Selection
  isSpam: boolean
  /** Is called with the ids of submissions that were deleted or moved out of the list. */
  onGone: (ids: readonly string[]) => void
}

/** The actions for the selected submissions: mark as spam or as not spam, and delete. */
export function SubmissionSelection({ selection, isSpam, onGone }: SubmissionSelectionProps) {
  const { ids, clear } = selection
  const { setSpam, remove } = useBulkChanges((goneIds) => {
    onGone(goneIds)
    clear()
  })
  const isBusy = setSpam.isPending || remove.isPending
  const hasTooMany = ids.size > maxSelectedIds
  const SpamIcon = isSpam ? IconMailCheck : IconMailX
  return (
    <SelectionBar count={formatNumber(ids.size)} onClear={clear}>
      <SelectionButton
        label={isSpam ? 'Not spam' : 'Mark as spam'}
        icon={<SpamIcon size={16} stroke={1.75} />}
        disabled={isBusy || hasTooMany}
        onClick={() => setSpam.mutate({ ids: [...ids], is_spam: !isSpam })}
      />
      <SelectionButton
        label={hasTooMany ? `Delete at most ${formatNumber(maxSelectedIds)} at once` : 'Delete'}
        icon={<IconTrash size={16} stroke={1.75} />}
        isDangerous
        disabled={isBusy || hasTooMany}
        onClick={() => remove.mutate([...ids])}
      />
    </SelectionBar>
  )
}
