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

// for the proposals of the assistant, which load the fields from this module, because the page of a contact has loaded it already
export { noteFields } from './noteFields.tsx'

/** The form of a new note, and below it the notes on a contact, newest first. */
export function NotesTab({ contactId }: { contactId: string }) {
  const notes = useInfiniteQuery(notesQuery(contactId))
  const deletion = useDeleteNote(contactId)
  const [added, setAdded] = useState({ count: 0, takesFocus: false })
  const [noteInForm, setNoteInForm] = useState<Note>()
  const [lastEditedId, setLastEditedId] = useState<string>()
  const section = useRef<HTMLElement>(null)
  const rows = addMissingNote(notes.data?.pages.flatMap((page) => page.rows) ?? [], noteInForm)
  /** Deletes a note, and focuses the next note, else the previous one, else the field of a new note. */
  const deleteAndFocusNeighbour = (id: string): void => {
    const index = rows.findIndex((note) => note.id === id)
    const neighbour = rows[index + 1] ?? rows[index - 1]
    const selector = neighbour ? `[data-edit="${neighbour.id}"]` : 'textarea'
    section.current?.querySelector<HTMLElement>(selector)?.focus()
    deletion.mutate(id)
  }
  const closeForm = (id: string, mayTakeFocus: boolean): void => {
    setNoteInForm((current) => (current?.id === id ? undefined : current)) // the form of another note may have been opened during the save
    setLastEditedId(mayTakeFocus ? id : undefined)
  }
  return (
    <section ref={section} aria-label="Notes">
      {/* the new key creates an empty form after each added note */}
      <AddNote
        key={added.count}
        contactId={contactId}
        takesFocus={added.takesFocus}
        onAdded={(mayTakeFocus) => setAdded({ count: added.count + 1, takesFocus: mayTakeFocus })}
      />
      {notes.isPending && <NotesSkeleton />}
      <ol className={classes['notes']}>
        {rows.map((note) => (
          <li key={note.id}>
            {note.id === noteInForm?.id ? (
              <EditNote note={note} onDone={(mayTakeFocus) => closeForm(note.id, mayTakeFocus)} />
            ) : (
              <NoteCard
                note={note}
                takesFocus={lastEditedId === note.id}
                onEdit={() => setNoteInForm(note)}
                onDelete={() => deleteAndFocusNeighbour(note.id)}
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

/** The number of notes on a contact, for the label of the tab. */
export function NotesCount({ contactId }: { contactId: string }) {
  // `retryOnMount: false` prevents another request for notes that could not be loaded; the button in the tab sends it
  const count = useInfiniteQuery({ ...notesQuery(contactId), retryOnMount: false }).data?.pages[0]?.count
  return count !== undefined && formatNumber(count)
}

/** Adds the note that is being edited to the rows if it was deleted meanwhile, so that the typed text is not lost. */
const addMissingNote = (rows: Note[], noteInForm: Note | undefined): Note[] =>
  noteInForm && !rows.some(({ id }) => id === noteInForm.id) ? [noteInForm, ...rows] : rows

const NotesSkeleton = () => (
  <output className={classes['waiting']} aria-label="Loading">
    {[0.9, 0.7, 0.8].map((width) => (
      <span key={width} style={{ width: `${width * 100}%` }} />
    ))}
  </output>
)
