import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { ConversationRow } from '#contract/assistant.ts'
import { describeError } from '#web/lib/toasts.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { SearchField } from '#web/ui/SearchField.tsx'
import { useNow } from '#web/ui/useNow.ts'
import { ConversationItem } from './ConversationItem.tsx'
import classes from './ConversationList.module.css'
import { groupConversations } from './groupConversations.ts'
import { conversationsQuery } from './queries.ts'

type ConversationListProps = {
  /** The id of the open conversation. */
  openId: string | undefined
  /** Opens a conversation. Without it, the link opens the page of the conversation. */
  onOpen?: ((id: string) => void) | undefined
  /** Called after the open conversation was deleted. */
  onDeleted: () => void
}

/** The conversations, grouped by the day of their newest message, with a search of their titles and messages. */
export function ConversationList({ openId, onOpen, onDeleted }: ConversationListProps) {
  const [search, setSearch] = useState('')
  const now = useNow()
  const query = useInfiniteQuery(conversationsQuery(search.trim()))
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? []
  return (
    <div className={classes['list']} data-conversations>
      <div className={classes['search']}>
        <SearchField label="Search chats" value={search} onSearch={setSearch} />
      </div>
      <nav className={classes['scroll']} aria-label="Chats">
        {groupConversations(rows, now).map(({ label, rows: members }) => (
          <Group key={label} label={label} rows={members} openId={openId} onOpen={onOpen} onDeleted={onDeleted} />
        ))}
        {query.data && rows.length === 0 && search !== '' && <p className={classes['remark']}>No chat has these words.</p>}
        {query.isPending && <ListSkeleton />}
        {query.error && !query.data && (
          <FailedState
            title="The chats could not be loaded"
            reason={describeError(query.error)}
            onRetry={() => void query.refetch()}
            isRetrying={query.isFetching}
          />
        )}
        {query.hasNextPage && (
          <Button variant="subtle" fullWidth loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show more
          </Button>
        )}
      </nav>
    </div>
  )
}

type GroupProps = ConversationListProps & { label: string; rows: readonly ConversationRow[] }

function Group({ label, rows, openId, onOpen, onDeleted }: GroupProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={classes['group']}>
        {label}
      </h2>
      <ul>
        {rows.map((row) => (
          <ConversationItem
            key={row.id}
            row={row}
            isOpen={row.id === openId}
            onOpen={onOpen && (() => onOpen(row.id))}
            onDeleted={() => row.id === openId && onDeleted()}
          />
        ))}
      </ul>
    </section>
  )
}

/** Shown while the conversations are being loaded. */
const ListSkeleton = () => (
  <output className={classes['waiting']} aria-label="Loading the chats">
    {[0.75, 0.6, 0.85, 0.55, 0.7].map((width) => (
      <span key={width} style={{ width: `${width * 100}%` }} />
    ))}
  </output>
)
