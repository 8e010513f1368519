import { Link } from '@tanstack/react-router'

/** The first step of the path on the pages of one contact. */
export const BackToContacts = () => (
  <Link to="/crm/contacts" aria-label="Back to Contacts">
    Contacts
  </Link>
)
