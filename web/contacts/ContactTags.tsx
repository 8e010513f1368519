import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import { TagsInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { contactRoutes, type Contact } from '#contract/contacts.ts'
import { tagLimits } from '#contract/records.ts'
import { callForChange } from '#web/lib/client.ts'
import { queries, refreshTables } from '#web/lib/queries.ts'
import { toastError } from '#web/lib/toasts.ts'
import { sayDone } from '#web/lib/undo.ts'
import { recordKeys, tagsInUse } from '#web/records/kind/queries.ts'
import classes from './ContactPage.module.css'
import { contactsTable } from './queries.ts'

/** The tags of a contact, put on and taken off where they stand. */
export function ContactTags({ contact: { id, tags } }: { contact: Contact }) {
  const [wanted, setWanted] = useState(false)
  const inUse = useQuery({ ...tagsInUse({ table: contactsTable, routes: contactRoutes }), enabled: wanted })
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
      onFocus={() => setWanted(true)}
    />
  )
}

type Tagging = { tags: string[]; before: string[] }

/** Shows the tags at once; when the server refuses, those from before come back. */
function useTagging(id: string) {
  const show = (tags: string[]): void => {
    queries.setQueryData<Contact>(recordKeys(contactsTable).one(id), (contact) => contact && { ...contact, tags })
  }
  return useMutation({
    scope: { id: `tags of ${id}` }, // one after the other
    mutationFn: ({ tags, before }: Tagging) => {
      const add = tags.filter((tag) => !before.includes(tag))
      const remove = before.filter((tag) => !tags.includes(tag))
      return callForChange(contactRoutes.tagMany, { body: { ids: [id], add, remove } })
    },
    onMutate: ({ tags }) => show(tags),
    onError: (error, { before }) => {
      show(before)
      toastError(error)
    },
    onSuccess: ({ change }) => {
      sayDone('Contact updated', change)
    },
    onSettled: () => refreshTables([contactsTable]),
  })
}
