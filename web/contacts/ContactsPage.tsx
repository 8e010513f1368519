import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useCallback, useRef } from 'react'
import { useShortcuts } from '#web/lib/shortcuts.ts'
import { sentenceOf } from '#web/lib/toasts.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { SearchField } from '#web/ui/SearchField.tsx'
import { SortMenu } from '#web/ui/SortMenu.tsx'
import { Button } from '@mantine/core'
import { AddContact } from './AddContact.tsx'
import { ContactsList } from './ContactsList.tsx'
import classes from './ContactsTable.module.css'
import { NoContacts } from './NoContacts.tsx'
import { fromAddress, nextSort, sortChoices, toAddress, type Search } from './search.ts'
import { useContactList } from './useContactList.ts'

const route = getRouteApi('/signed-in/crm/contacts')

/** Everybody the business knows: found, sorted, opened and taken out here. */
export function ContactsPage() {
  const { search, change } = useSearchInAddress()
  const list = useContactList(search)
  const field = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const nobody = list.empty && search.search === ''
  const chosen = sortChoices.find(({ sort, order }) => sort === search.sort && order === search.order)?.name ?? 'newest'
  useShortcuts([
    { keys: 'n', label: 'Add contact', run: () => void navigate({ to: '/crm/contacts/new' }) },
    { keys: '/', label: 'Search contacts', run: () => focusAll(field.current) },
  ])

  return (
    <div className={classes['page']}>
      <PageBar title="Contacts" count={nobody ? '0' : list.count} actions={!nobody && <AddContact />} />
      {!nobody && (
        <div className={classes['tools']}>
          <SearchField
            label="Search contacts"
            value={search.search}
            onSearch={(text) => change({ search: text })}
            shortcut="/"
            fieldRef={field}
          />
          <SortMenu
            choices={sortChoices}
            chosen={chosen}
            onChoose={(name) => change(sortChoices.find((each) => each.name === name) ?? {})}
          />
        </div>
      )}
      {nobody && <NoContacts />}
      {list.failure && (
        <FailedState title="Contacts could not be loaded" reason={sentenceOf(list.failure)} onRetry={list.retry} retrying={list.retrying} />
      )}
      {list.empty && !nobody && <NothingFound search={search.search} onClear={() => change({ search: '' })} />}
      {!list.failure && !list.empty && <ContactsList list={list} search={search} onSort={(column) => change(nextSort(search, column))} />}
    </div>
  )
}

/** The search that stands in the address, and how to change it there without a new entry for Back. */
function useSearchInAddress(): { search: Search; change: (changed: Partial<Search>) => void } {
  const search = fromAddress(route.useSearch())
  const navigate = route.useNavigate()
  const change = useCallback(
    ({ search: text, sort, order }: Partial<Search>) => {
      void navigate({
        search: (before) => {
          const now = fromAddress(before)
          return toAddress({ search: text ?? now.search, sort: sort ?? now.sort, order: order ?? now.order })
        },
        replace: true,
        resetScroll: false,
      })
    },
    [navigate],
  )
  return { search, change }
}

function NothingFound({ search, onClear }: { search: string; onClear: () => void }) {
  return (
    <EmptyState
      quiet
      title="Nothing found"
      actions={
        <Button variant="default" onClick={onClear}>
          Clear search
        </Button>
      }
    >
      No contact has {`“${search}”`} in its name, email, phone or company.
    </EmptyState>
  )
}

function focusAll(field: HTMLInputElement | null): void {
  field?.focus()
  field?.select()
}
