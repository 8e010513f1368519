import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Contact } from '#contract/contacts.ts'
import { ProblemError } from '#web/lib/client.ts'
import { sentenceOf } from '#web/lib/toasts.ts'
import { useVisit } from '#web/lib/visits.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { BackToContacts } from './BackToContacts.tsx'
import { ContactActions } from './ContactActions.tsx'
import { ContactCard } from './ContactCard.tsx'
import { ContactHeader } from './ContactHeader.tsx'
import classes from './ContactPage.module.css'
import { ContactSkeleton } from './ContactSkeleton.tsx'
import { ContactTabs } from './ContactTabs.tsx'
import { ContactTimeline } from './ContactTimeline.tsx'
import { fullName } from './contactKind.tsx'
import { NeighbourButtons } from './NeighbourButtons.tsx'
import { useNeighbours } from './neighbours.ts'
import { NoSuchContact } from './NoSuchContact.tsx'
import { contactQuery } from './queries.ts'

const route = getRouteApi('/signed-in/crm/contacts/$id')

/** One contact: who it is, how to reach them, and what happened. */
export function ContactPage() {
  const { id } = route.useParams()
  const { tab } = route.useSearch()
  const { data: contact, error, refetch, isFetching } = useQuery(contactQuery(id))
  const neighbours = useNeighbours(id)
  useVisit('contact', contact && { id, title: fullName(contact), detail: contact.company || contact.email })
  const missing = error instanceof ProblemError && (error.problem.code === 'not_found' || error.problem.code === 'invalid')
  if (missing) return <NoSuchContact />
  return (
    <>
      <PageBar
        title={contact ? fullName(contact) : 'Contact'}
        breadcrumb={[<BackToContacts key="back" />]}
        actions={
          <>
            <NeighbourButtons {...neighbours} tab={tab} />
            {contact && <ContactActions contact={contact} />}
          </>
        }
      />
      <div className={classes['body']}>
        {contact && <Shown contact={contact} tab={tab} />}
        {!contact && error && (
          <FailedState
            title="The contact could not be loaded"
            reason={sentenceOf(error)}
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        )}
        {!contact && !error && <ContactSkeleton />}
      </div>
    </>
  )
}

function Shown({ contact, tab }: { contact: Contact; tab: string | undefined }) {
  return (
    <div className={classes['columns']}>
      <div className={classes['contact']}>
        <ContactHeader contact={contact} />
        <ContactCard contact={contact} />
        <ContactTabs id={contact.id} open={tab} />
      </div>
      <ContactTimeline id={contact.id} />
    </div>
  )
}
