import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { bulkLimit, type ContactRow } from '#contract/contacts.ts'
import { copyText } from '#web/lib/copyText.ts'
import { sentenceOf } from '#web/lib/toasts.ts'
import { useListKeys } from '#web/records/useListKeys.ts'
import type { PagedList } from '#web/records/usePagedList.ts'
import { useCursor } from '#web/ui/cursor.ts'
import { useSelection, type Selection } from '#web/ui/selection.ts'
import { ContactMenu, type OpenMenu } from './ContactMenu.tsx'
import { ContactsTable } from './ContactsTable.tsx'
import classes from './ContactsList.module.css'
import { useDeleteContacts } from './deleting.ts'
import { numberOf } from './links.ts'
import type { Search } from './search.ts'
import { SelectedContacts } from './SelectedContacts.tsx'

type List = PagedList<ContactRow>
type ContactsListProps = { list: List; search: Search; onSort: (column: string) => void }

/** The rows with what can be done to them, by pointer, finger and keys. */
export function ContactsList({ list, search, onSort }: ContactsListProps) {
  const { rows } = list
  const selection = useSelection(rows)
  const cursor = useCursor(rows)
  const [menu, setMenu] = useState<OpenMenu>()
  const actions = useRowActions(rows, selection)
  const { ids, clear } = selection
  useListKeys({
    ...actions,
    noun: 'contact',
    cursor,
    row: rows[cursor.index],
    selecting: ids.size > 0,
    clear,
    remove: (contact) => actions.remove(ids.size > 0 ? [...ids] : contact ? [contact.id] : []),
  })
  const act = (action: string, contact: ContactRow, button: HTMLElement): void => {
    if (action === 'edit') actions.edit(contact)
    if (action === 'delete') actions.remove([contact.id])
    if (action === 'menu') setMenu({ contact, button })
    if (action === 'copy-email') void copyText(contact.email)
    if (action === 'copy-phone') void copyText(numberOf(contact))
  }
  const { total, loading, stale, more } = list
  const table = { rows, total, loading, stale, search, onSort, selection, cursor }
  return (
    <>
      <ContactsTable {...table} onOpen={actions.open} onAction={act} onNearEnd={more} />
      {list.failureOfMore && <MoreFailed list={list} />}
      {menu && <RowMenu menu={menu} actions={actions} onClose={() => setMenu(undefined)} />}
      {ids.size > 0 && <SelectedContacts count={ids.size} onDelete={() => actions.remove([...ids])} onClear={clear} />}
    </>
  )
}

type RowActions = ReturnType<typeof useRowActions>

function useRowActions(rows: readonly ContactRow[], selection: Selection) {
  const navigate = useNavigate()
  const deleting = useDeleteContacts()
  return {
    open: ({ id }: ContactRow): void => void navigate({ to: '/crm/contacts/$id', params: { id } }),
    edit: ({ id }: ContactRow): void => void navigate({ to: '/crm/contacts/edit/$id', params: { id } }),
    select: ({ id }: ContactRow): void => {
      const index = rows.findIndex((row) => row.id === id)
      selection.turn(index, false)
    },
    remove: (ids: readonly string[]): void => {
      if (ids.length > 0 && ids.length <= bulkLimit) deleting.mutate(ids, ids.length > 1 ? { onSuccess: selection.clear } : {})
    },
  }
}

const RowMenu = ({ menu, actions, onClose }: { menu: OpenMenu; actions: RowActions; onClose: () => void }) => (
  <ContactMenu
    {...menu}
    onEdit={() => actions.edit(menu.contact)}
    onSelect={() => actions.select(menu.contact)}
    onDelete={() => actions.remove([menu.contact.id])}
    onClose={onClose}
  />
)

const MoreFailed = ({ list }: { list: List }) => (
  <p className={classes['more']} role="alert">
    More contacts could not be loaded. {list.failureOfMore && sentenceOf(list.failureOfMore)}
    <Button variant="default" onClick={list.retry} loading={list.retrying}>
      Try again
    </Button>
  </p>
)
