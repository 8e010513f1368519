import '#web/ui/choices.css'
import { Button, Modal, TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { tagLimits } from '#contract/records.ts'
import type { BulkSelection } from './selection.ts'
import type { ListRoutes } from '#web/records/kind/kind.ts'
import { bulkErrorMessage, useBulkTag, type BulkKind } from './bulkChanges.ts'
import classes from '#web/ui/DialogForm.module.css'
import { tagsInUse } from '#web/records/kind/queries.ts'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'

type BulkTagDialogProps = {
  kind: BulkKind & { routes: Pick<ListRoutes<unknown>, 'tags'> }
  selection: BulkSelection
  /** "12 contacts" */
  words: string
  onClose: () => void
}

/** Adds tags to all selected records, and removes others. */
export function BulkTagDialog({ kind, selection, words, onClose }: BulkTagDialogProps) {
  const [add, setAdd] = useState<string[]>([])
  const [remove, setRemove] = useState<string[]>([])
  const { routes, table } = kind
  const inUse = useQuery(tagsInUse({ table, routes: { tags: routes.tags ?? noRoute() } }))
  const tagging = useBulkTag(kind, selection)
  useReturnFocus()
  const tags = (inUse.data?.tags ?? []).map(({ tag }) => tag)
  const field = {
    maxTags: tagLimits.count,
    maxLength: tagLimits.length,
    splitChars: [',', ';'],
    acceptValueOnBlur: true,
    openOnFocus: false,
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    tagging.mutate({ add, remove }, { onSuccess: onClose })
  }
  return (
    <Modal opened onClose={onClose} title={`Tag ${words}`} size={440}>
      <form className={classes['form']} onSubmit={submit} noValidate>
        <TagsInput
          {...field}
          label="Add tags"
          placeholder={add.length > 0 ? '' : 'Type a tag and press Enter'}
          data-autofocus
          value={add}
          onChange={setAdd}
          data={tags.filter((tag) => !remove.includes(tag))}
        />
        <TagsInput
          {...field}
          label="Remove tags"
          placeholder={remove.length > 0 ? '' : 'Choose a tag'}
          value={remove}
          onChange={setRemove}
          data={tags.filter((tag) => !add.includes(tag))}
        />
        {tagging.error && (
          <p className={classes['error']} role="alert">
            {bulkErrorMessage(tagging.error)}
          </p>
        )}
        <div className={classes['actions']}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={add.length + remove.length === 0} loading={tagging.isPending}>
            Tag {words}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

function noRoute(): never {
  throw new Error('This kind of record has no tags')
}
