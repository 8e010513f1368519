import '#web/ui/dialogs.css'
import { useState, type FormEvent } from 'react'
import { Button, Modal } from '@mantine/core'
import type { TakenName } from '#contract/files.ts'
import type { NewUpload } from '#contract/uploads.ts'
import { formatCount } from '#web/lib/format.ts'
import { useStore } from '#web/lib/store.ts'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import { ComparedFiles } from './ComparedFiles.tsx'
import { cancelUploads, startUploads } from './queue.ts'
import { startReplacing } from './replace.ts'
import { uploads, type UploadItem } from './uploadList.ts'
import classes from './NameConflictDialog.module.css'

type ItemWithTakenName = UploadItem & { taken: TakenName }

/**
 * Asks what to do with files whose names are taken in the folder or on the contact to which they are uploaded. Asks about one file after
 * the other; the user can decide for all files that were added together.
 */
export function NameConflictDialog() {
  const itemsToAsk = useStore(uploads).filter((item): item is ItemWithTakenName => item.status === 'asking' && item.taken !== undefined)
  const [first] = itemsToAsk
  if (!first) return null
  const others = itemsToAsk.slice(1).filter(({ dropId }) => dropId === first.dropId)
  return <Dialog key={first.id} item={first} others={others} />
}

type Choice = NewUpload['if_exists']
const labels: Record<Choice, string> = { keep_both: 'Keep both', replace: 'Replace', skip: 'Skip' }
const choices = ['keep_both', 'replace', 'skip'] as const

function Dialog({ item, others }: { item: ItemWithTakenName; others: readonly UploadItem[] }) {
  const { name, taken, dropId, place } = item
  const [choice, setChoice] = useState<Choice>('keep_both')
  const [isForAll, setForAll] = useState(true)
  useReturnFocus()
  const decided = [item, ...(isForAll ? others : [])]
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const ids = decided.map(({ id }) => id)
    if (choice === 'skip') cancelUploads(ids)
    else if (choice === 'replace') startReplacing(decided)
    else startUploads(ids, { ifExists: choice })
  }
  /** Cancels all uploads of the same drop that are not done. */
  const stop = (): void =>
    cancelUploads(
      uploads
        .get()
        .filter((each) => each.dropId === dropId && each.status !== 'done')
        .map(({ id }) => id),
    )
  /** Escape skips only files with taken names: the other files of the same drop are still uploaded. */
  const skip = (): void => cancelUploads([item, ...others].map(({ id }) => id))
  const where = place.contact_id === null ? 'in this folder' : 'on this contact'
  const texts: Record<Choice, string> = {
    keep_both: `The new one is named “${taken.free_name}”`,
    replace: `The one ${where} goes to Trash`,
    skip: 'Do not upload this file',
  }
  return (
    <Modal
      opened
      onClose={skip}
      closeOnClickOutside={false}
      title={`“${name}” is already here`}
      size={520}
      withCloseButton={false}
      classNames={{ title: classes['title'] ?? '' }}
    >
      <form onSubmit={submit}>
        <ComparedFiles item={item} existingFile={taken.file} />
        <fieldset className={classes['choices']} aria-label="What to do with this file">
          {choices.map((each) => (
            <label key={each} className={classes['choice']}>
              <input
                type="radio"
                name="choice"
                checked={choice === each}
                data-autofocus={choice === each || undefined}
                onChange={() => setChoice(each)}
              />
              <span className={classes['label']}>{labels[each]}</span>
              <span className={classes['text']}>{texts[each]}</span>
            </label>
          ))}
        </fieldset>
        {others.length > 0 && (
          <label className={classes['all']}>
            <input type="checkbox" checked={isForAll} onChange={() => setForAll(!isForAll)} />
            <span>Do the same for the {formatCount(others.length, 'other name that is', 'other names that are')} taken</span>
          </label>
        )}
        <div className={classes['actions']}>
          <Button variant="subtle" color="gray" onClick={stop}>
            Stop upload
          </Button>
          <Button type="submit">
            {labels[choice]}
            {decided.length > 1 && `, ${formatCount(decided.length, 'file')}`}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
