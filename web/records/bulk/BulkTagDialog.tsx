import '#web/ui/dialogs.css'
import '#web/ui/choices.css'
import { Button, Modal, TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { tagLimits } from '#contract/fields.ts'
import type { BulkSelection } from './selection.ts'
import type { ListRoutes } from '#web/records/kind/kind.ts'
import { bulkErrorMessage, useBulkTag, type BulkKind } from './bulkChanges.ts'
import classes from '#web/ui/DialogForm.module.css'
import { tagsQuery } from '#web/records/kind/queries.ts'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'

type BulkTagDialogProps = {
  kind: BulkKind & { routes: Pick<ListRoutes<unknown>, 'tags'> }
  selection: BulkSelection
  /** The number of selected records with the name of the kind: "12 contacts". */
  countLabel: string
  onClose: () => void
}

/** Adds and removes tags in all selected records. */
export function BulkTagDialog({ kind, selection, countLabel, onClose }: BulkTagDialogProps) {
  const [add, setAdd] = useState<string[]>([])
  const [remove, setRemove] = useState<string[]>([])
  const { routes, table } = kind
  const tagsResult = useQuery(tagsQuery({ table, routes: { tags: routes.tags ?? throwNoTags() } }))
  const tagging = useBulkTag(kind, selection)
  useReturnFocus()
  const tags = (tagsResult.data?.tags ?? []).map(({ tag }) => tag)
  const fieldProps = {
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
    <Modal opened onClose={onClose} title={`Tag ${countLabel}`} size={440}>
      <form className={classes['form']} onSubmit={submit} noValidate>
        <TagsInput
          {...fieldProps}
          label="Add tags"
          placeholder={add.length > 0 ? '' : 'Type a tag and press Enter'}
          data-autofocus
          value={add}
          onChange={setAdd}
          data={tags.filter((tag) => !remove.includes(tag))}
        />
        <TagsInput
          {...fieldProps}
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
            Tag {countLabel}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

function throwNoTags(): never {
  throw new Error('This kind of record has no tags')
}
