import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useRef, useState, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import type { ConversationRow } from '#contract/assistant.ts'
import { MenuButton } from '#web/ui/MenuButton.tsx'
import { Shortcut } from '#web/ui/Shortcut.tsx'
import classes from './ConversationList.module.css'
import { useDelete, useRename } from './useConversationChanges.ts'

type ConversationItemProps = {
  row: ConversationRow
  isOpen: boolean
  /**
   * Called by a click without modifier keys, in place of the link. The link opens the page of the conversation; `onOpen` may show the
   * conversation elsewhere, or also close the list.
   */
  onOpen: (() => void) | undefined
  onDeleted: () => void
}

const iconProps = { size: 16, stroke: 1.75 }

/** A conversation in the list, with a menu. F2 renames it in place, Delete deletes it. */
export function ConversationItem({ row, isOpen, onOpen, onDeleted }: ConversationItemProps) {
  const [isRenaming, setRenaming] = useState(false)
  const link = useRef<HTMLAnchorElement>(null)
  const deletion = useDelete()
  const remove = (): void => {
    focusNeighbour(link.current)
    deletion.mutate(row)
    onDeleted()
  }
  const endRenaming = ({ focusesLink }: EndOptions): void => {
    if (!focusesLink) return setRenaming(false)
    flushSync(() => setRenaming(false)) // the link must exist before it can be focused
    link.current?.focus()
  }
  if (isRenaming) return <TitleField row={row} onEnd={endRenaming} />
  const runShortcut = (event: KeyboardEvent): void => {
    if (event.key === 'F2') setRenaming(true)
    else if (event.key === 'Delete') remove()
    else return
    event.preventDefault()
  }
  return (
    <li className={classes['item']} data-open={isOpen || undefined}>
      <Link
        ref={link}
        className={classes['link']}
        data-conversation
        to="/assistant/$id"
        params={{ id: row.id }}
        aria-current={isOpen ? 'page' : undefined}
        title={row.title}
        onClick={(event) => {
          // with a modifier key the link opens the page in a new tab or window
          if (!onOpen || event.ctrlKey || event.metaKey || event.shiftKey) return
          event.preventDefault()
          onOpen()
        }}
        onDoubleClick={() => setRenaming(true)}
        onKeyDown={runShortcut}
      >
        <span dir="auto">{row.title}</span>
        {row.is_answering && (
          <span className={classes['dot']} title="An answer is being written">
            {' '}
            is answering
          </span>
        )}
      </Link>
      <MenuButton
        position="bottom-end"
        button={
          <button type="button" className={classes['more']} aria-label={`More for ${row.title}`}>
            <IconDots {...iconProps} />
          </button>
        }
      >
        {(Menu) => (
          <>
            <Menu.Item
              leftSection={<IconPencil {...iconProps} />}
              rightSection={<Shortcut keys={['F2']} />}
              onClick={() => setRenaming(true)}
            >
              Rename
            </Menu.Item>
            <Menu.Item data-danger leftSection={<IconTrash {...iconProps} />} rightSection={<Shortcut keys={['Del']} />} onClick={remove}>
              Delete
            </Menu.Item>
          </>
        )}
      </MenuButton>
    </li>
  )
}

/**
 * Called before this conversation disappears. Focuses the next conversation; without one, the previous one; without both, the search
 * field.
 */
function focusNeighbour(link: HTMLElement | null): void {
  const list = link?.closest('[data-conversations]')
  const links = [...(list?.querySelectorAll<HTMLElement>('a[data-conversation]') ?? [])]
  const index = links.findIndex((each) => each === link)
  const neighbour = links[index + 1] ?? links[index - 1] ?? list?.querySelector('input')
  neighbour?.focus()
}

/** `focusesLink` is false if the user has focused another element, because the focus is then where the user wants it. */
type EndOptions = { focusesLink: boolean }

/** The field for the title of a conversation. Enter and leaving the field save it, Escape does not. */
function TitleField({ row, onEnd }: { row: ConversationRow; onEnd: (options: EndOptions) => void }) {
  const [title, setTitle] = useState(row.title)
  const rename = useRename()
  const isDone = useRef(false)
  const end = ({ saves, ...options }: EndOptions & { saves: boolean }): void => {
    if (isDone.current) return
    isDone.current = true
    const trimmed = title.trim()
    if (saves && trimmed !== '' && trimmed !== row.title) rename.mutate({ row, title: trimmed })
    onEnd(options)
  }
  return (
    <li className={classes['item']}>
      <input
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has chosen to rename
        autoFocus
        dir="auto"
        className={classes['title']}
        aria-label="Title of the chat"
        maxLength={200}
        value={title}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setTitle(event.currentTarget.value)}
        // when the user switches to another window, the active element stays the same
        onBlur={({ currentTarget }) => end({ saves: true, focusesLink: document.activeElement === currentTarget })}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.stopPropagation()
          if ((event.key !== 'Enter' && event.key !== 'Escape') || event.nativeEvent.isComposing) return
          event.preventDefault()
          end({ saves: event.key === 'Enter', focusesLink: true })
        }}
      />
    </li>
  )
}
