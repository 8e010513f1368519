import { Contact, contactColumns, contactFilters, ContactRow, emptyContact, type ContactFields } from '#contract/contacts.ts'
import { recordKinds } from '#contract/kinds.ts'
import { sql } from '#server/platform/database/database.ts'
import { defineKind, linkedTitle, namedSort, type Link, type RecordKind } from '#server/platform/records/kind.ts'

/** What a person writes, and the keys of the phone numbers that are kept beside it. */
export type ContactWrite = ContactFields & { phone_key: string; mobile_phone_key: string }

const reportsTo: Link = { field: 'reports_to_id', to: recordKinds.contact, titleAs: 'reports_to_name' }

const newestNote = '(select n.content from notes n where n.user_id = c.user_id and n.contact_id = c.id order by n.id desc limit 1)'
const noteOrDescription = `translate(left(coalesce(${newestNote}, c.description), 200), E'\\n\\r\\t', '   ')`

const kind = defineKind({
  ...recordKinds.contact,
  Kept: Contact,
  Row: ContactRow,
  exported: contactColumns,
  computed: { reports_to: linkedTitle(reportsTo), notes: noteOrDescription },
  empty: emptyContact,
  alsoWritten: ['phone_key', 'mobile_phone_key'],
  nameOf: ({ first_name, last_name }) => [first_name, last_name].filter((name) => typeof name === 'string' && name !== '').join(' '),
  found: { sorted: 'name', title: 'c.name', detail: `case when c.company <> '' then c.company else c.email end` },
  sorts: { name: namedSort('name'), email: { column: 'email_key', type: 'text', empty: "= ''" }, company: namedSort('company') },
  filters: contactFilters,
  check: (ids, { reports_to_id }) => (reports_to_id ? sql('select app.refuse_circle($1, $2)', [ids, reports_to_id]) : undefined),
  rules: {
    crm_contacts_circle: {
      field: 'reports_to_id',
      says: 'This person reports to the contact already, perhaps through others. Choose somebody else.',
    },
  },
  links: {
    crm_contacts_reports_to: reportsTo,
    crm_contacts_company: { field: 'company_id', to: recordKinds.company },
  },
})

/** How the database has contacts. An export has the whole of the newest note. */
export const contacts: RecordKind = { ...kind, exportColumns: { ...kind.exportColumns, notes: `coalesce(${newestNote}, '')` } }
