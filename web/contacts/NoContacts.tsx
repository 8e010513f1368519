import { EmptyState } from '#web/ui/EmptyState.tsx'
import { AddContact } from './AddContact.tsx'
import classes from './ContactsTable.module.css'

/** A workspace without contacts: what lives here, and the first step. */
export function NoContacts() {
  return (
    <div className={classes['nobody']}>
      <EmptyState title="The people you do business with" actions={<AddContact />} motif={<Cards />}>
        Customers, suppliers, partners: everyone you write to or call has a place here. Start with one.
      </EmptyState>
    </div>
  )
}

const Cards = () => (
  <>
    <rect x="112" y="70" width="34" height="22" rx="4" />
    <circle cx="121" cy="81" r="4" />
    <path d="M130 78h10M130 84h7" />
    <rect x="14" y="78" width="28" height="18" rx="4" />
    <path d="M20 85h16M20 90h9" />
  </>
)
