import { accounts } from '#web/accounts/index.tsx'
import { contacts } from '#web/contacts/index.tsx'
import { dashboard } from '#web/dashboard/index.tsx'
import { trash } from '#web/trash/index.tsx'

/** Every feature with screens, in the order of the sidebar. */
export const features = [dashboard, contacts, trash, accounts] as const
