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
import { recordKeys, tagsQuery } from '#web/records/kind/queries.ts'
import classes from './ContactCard.module.css'
import { contactKind } from './contactKind.tsx'

const { table, routes } = contactKind

/** An input that saves added and removed tags immediately. */
export function ContactTags({ contact: { id, tags } }: { contact: Contact }) {
  const [isFocused, setIsFocused] = useState(false)
  const suggestions = useQuery({ ...tagsQuery(contactKind), enabled: isFocused })
  const saveTags = useSaveTags(id)
  return (
    <TagsInput
      aria-label="Tags"
      variant="unstyled"
      withScrollArea={false}
      className={classes['tags'] ?? ''}
      value={tags}
      onChange={(newTags) => saveTags.mutate({ newTags, oldTags: tags })}
      placeholder="Add tag"
      data={(suggestions.data?.tags ?? []).map(({ tag }) => tag)}
      maxTags={tagLimits.count}
      maxLength={tagLimits.length}
      splitChars={[',', ';']}
      acceptValueOnBlur
      onFocus={() => setIsFocused(true)}
    />
  )
}

type TagChange = { newTags: string[]; oldTags: string[] }

/** Shows the new tags before the request has finished; shows the old tags again if the request fails. */
function useSaveTags(id: string) {
  const showTags = (tags: string[]): void => {
    queries.setQueryData<Contact>(recordKeys(table).one(id), (contact) => contact && { ...contact, tags })
  }
  return useMutation({
    scope: { id: `tags of ${id}` }, // requests with the same scope run one after another
    mutationFn: ({ newTags, oldTags }: TagChange) => {
      const add = newTags.filter((tag) => !oldTags.includes(tag))
      const remove = oldTags.filter((tag) => !newTags.includes(tag))
      return callForChange(routes.tagMany, { body: { ids: [id], add, remove } })
    },
    onMutate: ({ newTags }) => showTags(newTags),
    onError: (error, { oldTags }) => {
      showTags(oldTags)
      toastError(error)
    },
    onSuccess: ({ changeId }) => {
      toastChange('Contact updated', changeId)
    },
    onSettled: () => refreshTables([table]),
  })
}
