import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { dealRoutes } from '#contract/deals.ts'
import { taskRoutes } from '#contract/tasks.ts'
import { call } from '#web/lib/client.ts'
import { count } from '#web/lib/format.ts'
import { NotesTab } from '#web/notes/NotesTab.tsx'
import { notesOn } from '#web/notes/queries.ts'
import { recordKeys } from '#web/records/kind/queries.ts'
import classes from './ContactTabs.module.css'
import { contactTabs, type ContactTab } from './tabs.ts'

const DealsTab = lazy(() => import('#web/deals/DealsTab.tsx').then((module) => ({ default: module.DealsTab })))
const TasksTab = lazy(() => import('#web/tasks/TasksTab.tsx').then((module) => ({ default: module.TasksTab })))

const labels: Record<ContactTab, string> = { notes: 'Notes', deals: 'Deals', tasks: 'Tasks' }

/** What belongs to a contact, a tab each with how many there are. Which one is open stands in the address. */
export function ContactTabs({ id, open = contactTabs[0] }: { id: string; open: ContactTab | undefined }) {
  const counts = useCounts(id)
  return (
    <>
      <nav className={classes['tabs']} aria-label="About this contact">
        {contactTabs.map((tab) => (
          <Link
            key={tab}
            to="/crm/contacts/$id"
            params={{ id }}
            search={tab === contactTabs[0] ? {} : { tab }}
            replace
            resetScroll={false}
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={tab === open ? 'page' : undefined}
            className={classes['tab']}
          >
            {labels[tab]} <span className={classes['count']}>{counts[tab]}</span>
          </Link>
        ))}
      </nav>
      <div className={classes['panel']} key={id}>
        <Suspense>
          {open === 'notes' && <NotesTab contactId={id} />}
          {open === 'deals' && <DealsTab contactId={id} />}
          {open === 'tasks' && <TasksTab contactId={id} />}
        </Suspense>
      </div>
    </>
  )
}

/** How many there are of each, in words; nothing while that is not known. */
function useCounts(id: string): Record<ContactTab, string | undefined> {
  const notes = useInfiniteQuery(notesOn(id)).data?.pages[0]?.count
  const filter = JSON.stringify([{ field: 'contact_id', is: [id] }])
  const deals = useQuery({
    queryKey: recordKeys('deals').numberLinkedTo('contact_id', id),
    meta: { tables: ['deals'] },
    queryFn: ({ signal }) => call(dealRoutes.count, { query: { filter } }, { signal }),
  })
  const tasks = useQuery({
    queryKey: recordKeys('tasks').numberLinkedTo('contact_id', id),
    meta: { tables: ['tasks'] },
    queryFn: ({ signal }) => call(taskRoutes.count, { query: { filter } }, { signal }),
  })
  return { notes: notes === undefined ? undefined : count(notes), deals: inWords(deals.data), tasks: inWords(tasks.data) }
}

const inWords = (found: { count: number; more: boolean } | undefined): string | undefined =>
  found && `${count(found.count)}${found.more ? '+' : ''}`
