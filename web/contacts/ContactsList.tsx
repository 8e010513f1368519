import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { bulkLimit, type ContactRow } from '#contract/contacts.ts'
import { count, countOf } from '#web/lib/format.ts'
import { sentenceOf } from '#web/lib/toasts.ts'
import { useCursor } from '#web/ui/cursor.ts'
import { SelectionBar } from '#web/ui/SelectionBar.tsx'
import { useSelection } from '#web/ui/selection.ts'
import { ContactMenu, type OpenMenu } from './ContactMenu.tsx'
import { ContactsTable } from './ContactsTable.tsx'
import { copyText } from './copyText.ts'
import classes from './ContactsList.module.css'
import { useDeleteContacts } from './deleting.ts'
import type { Search } from './search.ts'
import type { useContactList } from './useContactList.ts'
import { useListKeys } from './useListKeys.ts'

type ContactsListProps = {
  list: ReturnType<typeof useContactList>
  search: Search
  onSort: (column: string) => void
}

/** The rows with what can be done to them, by pointer, finger and keys. */
export function ContactsList({ list, search, onSort }: ContactsListProps) {
  const { rows } = list
  const navigate = useNavigate()
  const selection = useSelection(rows)
  const cursor = useCursor(rows)
  const deleting = useDeleteContacts()
  const [menu, setMenu] = useState<OpenMenu>()

  const open = ({ id }: ContactRow) => void navigate({ to: '/crm/contacts/$id', params: { id } })
  const edit = ({ id }: ContactRow) => void navigate({ to: '/crm/contacts/edit/$id', params: { id } })
  const remove = (ids: readonly string[]) => {
    if (ids.length > 0 && ids.length <= bulkLimit) deleting.mutate(ids, ids.length > 1 ? { onSuccess: selection.clear } : {})
  }
  const select = ({ id }: ContactRow) =>
    selection.turn(
      rows.findIndex((row) => row.id === id),
      false,
    )
  const tooMany = selection.ids.size > bulkLimit

  useListKeys({
    cursor,
    row: rows[cursor.index],
    selecting: selection.ids.size > 0,
    open,
    edit,
    select,
    clear: selection.clear,
    remove: (contact) => remove(selection.ids.size > 0 ? [...selection.ids] : contact ? [contact.id] : []),
  })

  return (
    <>
      <ContactsTable
        rows={rows}
        total={list.total}
        search={search}
        onSort={onSort}
        selection={selection}
        cursor={cursor}
        onOpen={open}
        onAction={(action, contact, button) => {
          if (action === 'edit') edit(contact)
          if (action === 'delete') remove([contact.id])
          if (action === 'menu') setMenu({ contact, button })
          if (action === 'copy-email') void copyText(contact.email)
          if (action === 'copy-phone') void copyText(contact.phone)
        }}
        loading={list.loading}
        stale={list.stale}
        onNearEnd={list.more}
      />
      {list.failureOfMore && (
        <p className={classes['more']} role="alert">
          More contacts could not be loaded. {sentenceOf(list.failureOfMore)}
          <Button variant="default" onClick={list.retry} loading={list.retrying}>
            Try again
          </Button>
        </p>
      )}
      {menu && (
        <ContactMenu
          {...menu}
          onEdit={() => edit(menu.contact)}
          onSelect={() => select(menu.contact)}
          onDelete={() => remove([menu.contact.id])}
          onClose={() => setMenu(undefined)}
        />
      )}
      {selection.ids.size > 0 && (
        <SelectionBar count={count(selection.ids.size)} onClear={selection.clear}>
          <Button
            variant="subtle"
            className={classes['delete'] ?? ''}
            leftSection={<IconTrash size={16} stroke={1.75} />}
            disabled={tooMany}
            onClick={() => remove([...selection.ids])}
          >
            {tooMany ? `Delete at most ${count(bulkLimit)} at once` : `Delete ${countOf(selection.ids.size, 'contact')}`}
          </Button>
        </SelectionBar>
      )}
    </>
  )
}
