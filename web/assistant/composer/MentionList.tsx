import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useId, useState, type RefObject } from 'react'
import type { Reference } from '#contract/assistant.ts'
import { searchRoutes, type Hit } from '#contract/search.ts'
import { call } from '#web/lib/client.ts'
import { everyTable } from '#web/lib/queries.ts'
import { KindIcon } from './AttachmentList.tsx'
import classes from './MentionList.module.css'

const maxHits = 8

const hitsQuery = (search: string) => ({
  queryKey: ['search', 'mention', search],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(searchRoutes.search, { query: { search, limit: maxHits } }, { signal }),
  enabled: search !== '',
  meta: { tables: [everyTable] },
  placeholderData: keepPreviousData,
  retry: false,
})

type MentionListProps = {
  /** What was typed after "@". */
  search: string
  field: RefObject<HTMLTextAreaElement | null>
  onChoose: (reference: Reference) => void
  onClose: () => void
}

/** The records that a message may mention. The field keeps the focus; its arrow keys, Enter, Tab and Escape work in the list. */
export function MentionList({ search, field, onChoose, onClose }: MentionListProps) {
  const listId = useId()
  const text = search.trim()
  const { data, isFetching, isLoading, isPlaceholderData, error } = useQuery(hitsQuery(text))
  const isSearching = isLoading || isPlaceholderData // the records of an earlier text may still be shown
  // the conversations with the assistant are not a part of the workspace that it reads
  const hits = text === '' ? [] : (data?.hits ?? []).filter(({ kind }) => kind !== 'conversation')
  const [chosenId, setChosenId] = useState<string>()
  const active = hits.find(({ id }) => id === chosenId) ?? hits[0]
  const choose = ({ kind, id, title }: Hit): void => onChoose({ kind, id, title })
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing) return
    if (event.key === 'Escape') onClose()
    else if ((event.key === 'Enter' || event.key === 'Tab') && (active ?? isSearching) && !event.shiftKey) {
      if (active && !isSearching) choose(active) // until the records are found, the keys choose nothing and do not send the message
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      setChosenId(findNeighbour(hits, active, event.key === 'ArrowDown' ? 1 : -1))
    else return
    event.preventDefault()
    event.stopPropagation() // otherwise Escape closes the panel, and Enter sends the message
  })
  useEffect(() => {
    const textarea = field.current
    const listener = (event: KeyboardEvent): void => onKeyDown(event)
    textarea?.addEventListener('keydown', listener)
    return () => textarea?.removeEventListener('keydown', listener)
  }, [field])
  useFieldAttributes(field, listId, active && `${listId}-${active.id}`)
  return (
    <div className={classes['list']}>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- its options hold more than text */}
      <div id={listId} role="listbox" aria-label="Records" aria-busy={isFetching}>
        {hits.map((hit) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field handles the keys
          <div
            key={hit.id}
            id={`${listId}-${hit.id}`}
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an option element holds only text
            role="option"
            aria-selected={hit === active}
            tabIndex={-1}
            className={classes['option']}
            onPointerDown={(event) => event.preventDefault()} // the field keeps the focus
            onPointerMove={() => setChosenId(hit.id)}
            onClick={() => choose(hit)}
          >
            <KindIcon kind={hit.kind} />
            <span className={classes['title']} dir="auto">
              {hit.title}
            </span>
            <span className={classes['detail']} dir="auto">
              {hit.detail}
            </span>
          </div>
        ))}
      </div>
      {hits.length === 0 && <output className={classes['note']}>{describeEmptyList(text, isFetching, error)}</output>}
    </div>
  )
}

function describeEmptyList(text: string, isFetching: boolean, error: Error | null): string {
  if (text === '') return 'Type the name of a contact, a company, a deal, a task or a file.'
  if (isFetching) return 'Searching…'
  return error ? 'Records could not be searched.' : `No record has “${text}” in it.`
}

function findNeighbour(hits: readonly Hit[], active: Hit | undefined, direction: 1 | -1): string | undefined {
  const index = hits.findIndex((hit) => hit === active)
  return hits.at((index + direction) % hits.length)?.id // at(-1) is the last record
}

/** Tells screen readers that the field controls the list, and which record is active. */
function useFieldAttributes(field: RefObject<HTMLTextAreaElement | null>, listId: string, activeId: string | undefined): void {
  useEffect(() => {
    const textarea = field.current
    textarea?.setAttribute('aria-controls', listId)
    if (activeId === undefined) textarea?.removeAttribute('aria-activedescendant')
    else textarea?.setAttribute('aria-activedescendant', activeId)
    return () => {
      textarea?.removeAttribute('aria-controls')
      textarea?.removeAttribute('aria-activedescendant')
    }
  }, [field, listId, activeId])
}
