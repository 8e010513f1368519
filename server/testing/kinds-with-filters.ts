import type { Condition } from '#contract/lists.ts'
import { bookingLinks } from '#server/booking-links/kind.ts'
import { bookings } from '#server/bookings/kind.ts'
import { companies } from '#server/companies/kind.ts'
import { contacts } from '#server/contacts/kind.ts'
import { deals } from '#server/deals/kind.ts'
import type { RecordKind } from '#server/platform/records/kind.ts'
import { tasks } from '#server/tasks/kind.ts'

type KindWithFilter = { kind: RecordKind; filter: Condition[] }
const createdSince2020 = { field: 'created_at', from: '2020-01-01' }
/** Kinds whose lists have filters, each with a filter of three conditions. Files and folders have plan tests of their own. */
export const kindsWithFilters: readonly KindWithFilter[] = [
  { kind: contacts, filter: [{ field: 'mailing_city', has: 'mill' }, { field: 'lead_source', is: ['Web'] }, createdSince2020] },
  {
    kind: companies,
    filter: [
      { field: 'tags', is: ['supplier'] },
      { field: 'phone', empty: false },
      { field: 'employees_count', from: 20, to: 60 },
    ],
  },
  {
    kind: deals,
    filter: [
      { field: 'stage', is: ['lead', 'proposal'] },
      { field: 'title', has: 'oak' },
      { field: 'value', from: 1000, to: 9000 },
    ],
  },
  {
    kind: tasks,
    filter: [
      { field: 'status', is: ['pending'] },
      { field: 'priority', is: ['high'] },
      { field: 'due_date', is: ['overdue', 'today'] },
    ],
  },
  { kind: bookings, filter: [{ field: 'attendee_name', has: 'mill' }, { field: 'start_time', from: '2025-01-05' }, createdSince2020] },
  { kind: bookingLinks, filter: [{ field: 'slug', has: 'a' }, { field: 'title', has: 'visit' }, createdSince2020] },
]
