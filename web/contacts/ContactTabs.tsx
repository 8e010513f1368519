import { Link, useNavigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { Contact } from '#contract/contacts.ts'
import { featureRegistry } from '#web/lib/features.ts'
import { printedTableRenderer } from '#web/lib/printing.ts'
import { useStore } from '#web/lib/store.ts'
import { formatFullName } from './contactKind.tsx'
import classes from './ContactTabs.module.css'

/** Returns the query parameters of a tab. The first tab is open by default, so its name is left out. */
const getTabSearch = (name: string): { tab?: string } => (featureRegistry.get().contactTabs[0]?.name === name ? {} : { tab: name })

/** Returns a function that opens a tab of a contact. */
export function useTabOpener(id: string): (name: string) => void {
  const navigate = useNavigate()
  return (name) => void navigate({ to: '/crm/contacts/$id', params: { id }, search: getTabSearch(name), replace: true, resetScroll: false })
}

/** Tabs with the records that are linked to a contact. `currentName` is the name of the open tab; undefined opens the first tab. */
export function ContactTabs({ contact, currentName }: { contact: Contact; currentName: string | undefined }) {
  const { id } = contact
  const tabs = featureRegistry.get().contactTabs
  const currentTab = tabs.find(({ name }) => name === currentName) ?? tabs[0]
  const isPrinting = useStore(printedTableRenderer) !== undefined
  /** On paper, the content of some tabs is shown below the open tab. */
  const printedTabs = isPrinting ? tabs.filter((tab) => tab.isAlwaysPrinted && tab !== currentTab) : []
  return (
    <>
      <nav className={classes['tabs']} aria-label="About this contact">
        {tabs.map(({ name, label, Count }) => (
          <Link
            key={name}
            to="/crm/contacts/$id"
            params={{ id }}
            search={getTabSearch(name)}
            replace
            resetScroll={false}
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={name === currentTab?.name ? 'page' : undefined}
            className={classes['tab']}
          >
            {label}{' '}
            <span className={classes['count']}>
              <Suspense>
                <Count contactId={id} />
              </Suspense>
            </span>
          </Link>
        ))}
      </nav>
      <div className={classes['panel']} key={id}>
        <Suspense>{currentTab && <currentTab.Tab contactId={id} contactName={formatFullName(contact)} />}</Suspense>
      </div>
      {printedTabs.map(({ name, label, Tab, Count }) => (
        <div key={name} className={classes['panel']}>
          <h2 className={classes['tab']} aria-current="page">
            {label}
            <span className={classes['count']}>
              <Count contactId={id} />
            </span>
          </h2>
          <Tab contactId={id} contactName={formatFullName(contact)} />
        </div>
      ))}
    </>
  )
}
