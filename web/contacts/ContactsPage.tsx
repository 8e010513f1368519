import { RecordsPage } from '#web/records/list/RecordsPage.tsx'
import { contactKind } from './contactKind.tsx'

/** Everybody the business knows: found, sorted, opened and taken out here. */
export const ContactsPage = () => <RecordsPage kind={contactKind} />
