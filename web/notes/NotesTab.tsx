import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Note } from '#contract/notes.ts'
import { formatNumber } from '#web/lib/format.ts'
import { describeError } from '#web/lib/toasts.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { AddNote } from './AddNote.tsx'
import { useDeleteNote } from './useDeleteNote.ts'
import { EditNote } from './EditNote.tsx'
import { NoteCard } from './NoteCard.tsx'
import classes from './Notes.module.css'
import { notesQuery } from './queries.ts'

/** The notes on a contact, newest first, below the form of a new one. */
export function NotesTab({ contactId }: { contactId: string }) {
  const notes = useInfiniteQuery(notesQuery(contactId))
  const deleting = useDeleteNote(contactId)
  const [added, setAdded] = useState(0)
  const [edited, setEdited] = useState<Note>()
  const [lastEdited, setLastEdited] = useState<string>()
  const list = useRef<HTMLElement>(null)
  const rows = withEdited(notes.data?.pages.flatMap((page) => page.rows) ?? [], edited)
  const removeAndFocusNeighbour = (id: string): void => {
    const index = rows.findIndex((note) => note.id === id)
    const neighbour = rows[index + 1] ?? rows[index - 1]
    list.current?.querySelector<HTMLElement>(neighbour ? `[data-edit="${neighbour.id}"]` : 'textarea')?.focus()
    deleting.mutate(id)
  }
  const done = (id: string): void => {
    setEdited(undefined)
    setLastEdited(id)
  }
  return (
    <section ref={list} aria-label="Notes">
      <AddNote key={added} contactId={contactId} takesFocus={added > 0} onAdded={() => setAdded(added + 1)} />
      {notes.isPending && <NotesSkeleton />}
      <ol className={classes['notes']}>
        {rows.map((note) => (
          <li key={note.id}>
            {note.id === edited?.id ? (
              <EditNote note={note} onDone={() => done(note.id)} />
            ) : (
              <NoteCard
                note={note}
                takesFocus={lastEdited === note.id}
                onEdit={() => setEdited(note)}
                onDelete={() => removeAndFocusNeighbour(note.id)}
              />
            )}
          </li>
        ))}
      </ol>
      {notes.error && rows.length === 0 && (
        <FailedState
          title="The notes could not be loaded"
          reason={describeError(notes.error)}
          onRetry={() => void notes.refetch()}
          isRetrying={notes.isFetching}
        />
      )}
      {notes.hasNextPage && (
        <div className={classes['more']}>
          {notes.isFetchNextPageError && <p role="alert">Older notes could not be loaded. {describeError(notes.error)}</p>}
          <Button variant="default" loading={notes.isFetchingNextPage} onClick={() => void notes.fetchNextPage()}>
            {notes.isFetchNextPageError ? 'Try again' : 'Load older notes'}
          </Button>
        </div>
      )}
    </section>
  )
}

export function NotesCount({ contactId }: { contactId: string }) {
  const notes = useInfiniteQuery(notesQuery(contactId)).data?.pages[0]?.count
  return notes !== undefined && formatNumber(notes)
}

/** Keeps a note with an open form in the list when it was deleted meanwhile, so that the typed text is not lost. */
const withEdited = (rows: Note[], edited: Note | undefined): Note[] =>
  edited && !rows.some(({ id }) => id === edited.id) ? [edited, ...rows] : rows

const NotesSkeleton = () => (
  <output className={classes['waiting']} aria-label="Loading">
    {[0.9, 0.7, 0.8].map((width) => (
      <span key={width} style={{ width: `${width * 100}%` }} />
    ))}
  </output>
)
