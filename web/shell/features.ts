import { accounts } from '#web/accounts/index.tsx'
import { apiKeys } from '#web/api-keys/index.tsx'
import { assistant } from '#web/assistant/index.tsx'
import { bookingLinks } from '#web/booking-links/index.tsx'
import { bookings } from '#web/bookings/index.tsx'
import { companies } from '#web/companies/index.tsx'
import { contacts } from '#web/contacts/index.tsx'
import { dashboard } from '#web/dashboard/index.tsx'
import { deals } from '#web/deals/index.tsx'
import { files } from '#web/files/index.tsx'
import { imports } from '#web/imports/index.tsx'
import { leadForms } from '#web/lead-forms/index.tsx'
import { notes } from '#web/notes/index.tsx'
import { outbox } from '#web/outbox/index.tsx'
import { sync } from '#web/sync/index.tsx'
import { tasks } from '#web/tasks/index.tsx'
import { trash } from '#web/trash/index.tsx'
import { webhooks } from '#web/webhooks/index.tsx'

/** All features with screens, in the order of the sidebar. */
export const features = [
  dashboard,
  assistant,
  files,
  leadForms,
  apiKeys,
  webhooks,
  contacts,
  companies,
  deals,
  tasks,
  bookings,
  bookingLinks,
  sync,
  imports,
  notes,
  trash,
  accounts,
  outbox,
] as const
