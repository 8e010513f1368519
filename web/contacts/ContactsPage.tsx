import { RecordsPage } from '#web/records/list/RecordsPage.tsx'
import { contactKind } from './contactKind.tsx'

export const ContactsPage = () => <RecordsPage kind={contactKind} />
