import '#web/ui/choices.css'
import { TagsInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Contact } from '#contract/contacts.ts'
import { tagLimits } from '#contract/records.ts'
import { callForChange } from '#web/lib/client.ts'
import { queries, refreshTables } from '#web/lib/queries.ts'
import { toastError } from '#web/lib/toasts.ts'
import { toastChange } from '#web/lib/undo.ts'
import { recordKeys, tagsInUse } from '#web/records/kind/queries.ts'
import classes from './ContactCard.module.css'
import { contactKind } from './contactKind.tsx'

const { table, routes } = contactKind

/** An input that saves added and removed tags immediately. */
export function ContactTags({ contact: { id, tags } }: { contact: Contact }) {
  const [isFocused, setIsFocused] = useState(false)
  const inUse = useQuery({ ...tagsInUse(contactKind), enabled: isFocused })
  const tagging = useTagging(id)
  return (
    <TagsInput
      aria-label="Tags"
      variant="unstyled"
      withScrollArea={false}
      className={classes['tags'] ?? ''}
      value={tags}
      onChange={(next) => tagging.mutate({ tags: next, before: tags })}
      placeholder="Add tag"
      data={(inUse.data?.tags ?? []).map(({ tag }) => tag)}
      maxTags={tagLimits.count}
      maxLength={tagLimits.length}
      splitChars={[',', ';']}
      acceptValueOnBlur
      onFocus={() => setIsFocused(true)}
    />
  )
}

type Tagging = { tags: string[]; before: string[] }

/** Updates the tags optimistically; restores the previous tags if the request fails. */
function useTagging(id: string) {
  const show = (tags: string[]): void => {
    queries.setQueryData<Contact>(recordKeys(table).one(id), (contact) => contact && { ...contact, tags })
  }
  return useMutation({
    scope: { id: `tags of ${id}` }, // requests with the same scope run one after another
    mutationFn: ({ tags, before }: Tagging) => {
      const add = tags.filter((tag) => !before.includes(tag))
      const remove = before.filter((tag) => !tags.includes(tag))
      return callForChange(routes.tagMany, { body: { ids: [id], add, remove } })
    },
    onMutate: ({ tags }) => show(tags),
    onError: (error, { before }) => {
      show(before)
      toastError(error)
    },
    onSuccess: ({ change }) => {
      toastChange('Contact updated', change)
    },
    onSettled: () => refreshTables([table]),
  })
}
