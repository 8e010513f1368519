import { contactFilters, emptyContact, type contactColumns, type ContactFields } from '#contract/contacts.ts'
import { namedSort, type RecordKind } from '#server/platform/records/kind.ts'

/** What a person writes, and the keys of the phone numbers that are kept beside it. */
export type ContactWrite = ContactFields & { phone_key: string; mobile_phone_key: string }

const written = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'mobile_phone',
  'company',
  'company_id',
  'title',
  'department',
  'mailing_street',
  'mailing_city',
  'mailing_state',
  'mailing_postal_code',
  'mailing_country',
  'reports_to_id',
  'lead_source',
  'description',
  'tags',
] as const satisfies (keyof ContactFields)[]

/** How the database has contacts. */
export const contacts: RecordKind = {
  one: 'contact',
  many: 'contacts',
  table: 'crm_contacts',
  find: 'crm_contacts_find',
  writable: [...written, 'phone_key', 'mobile_phone_key'],
  empty: emptyContact,
  columns: `${written.join(', ')}, id, external_id, crm_connection_id, raw_data, created_at, updated_at, version,
    coalesce((select m.name from crm_contacts m where m.user_id = c.user_id and m.id = c.reports_to_id), '') as reports_to_name`,
  rowColumns: `c.id, c.first_name, c.last_name, c.email, c.phone, c.mobile_phone, c.company, c.company_id, c.title, c.mailing_city,
    c.mailing_country, c.lead_source, c.tags, c.created_at, c.version,
    translate(left(coalesce(
      (select n.content from notes n where n.user_id = c.user_id and n.contact_id = c.id order by n.id desc limit 1), c.description
    ), 200), E'\\n\\r\\t', '   ') as notes`,
  exportColumns: {
    first_name: 'c.first_name',
    last_name: 'c.last_name',
    email: 'c.email',
    phone: 'c.phone',
    mobile_phone: 'c.mobile_phone',
    company: 'c.company',
    title: 'c.title',
    department: 'c.department',
    mailing_street: 'c.mailing_street',
    mailing_city: 'c.mailing_city',
    mailing_state: 'c.mailing_state',
    mailing_postal_code: 'c.mailing_postal_code',
    mailing_country: 'c.mailing_country',
    lead_source: 'c.lead_source',
    tags: 'c.tags',
    description: 'c.description',
    created_at: 'c.created_at',
  } satisfies Record<(typeof contactColumns)[number], string>,
  sorts: { name: namedSort('name'), email: { column: 'email_key', type: 'text', empty: "= ''" }, company: namedSort('company') },
  filters: contactFilters,
  links: {
    crm_contacts_reports_to: { field: 'reports_to_id', to: 'contact' },
    crm_contacts_company: { field: 'company_id', to: 'company' },
  },
}
