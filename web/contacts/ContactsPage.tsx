import { RecordsPage } from '#web/records/list/RecordsPage.tsx'
import { contactList } from './contactList.tsx'

/** Everybody the business knows: found, sorted, opened and taken out here. */
export const ContactsPage = () => <RecordsPage kind={contactList} />
