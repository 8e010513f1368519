// The record kind of contacts. The types in server/platform/records/kind.ts explain the options.
import {
  Contact,
  contactColumns,
  contactFilters,
  ContactRow,
  emptyContact,
  mergedContactsKey,
  syncedValuesKey,
} from '#contract/contacts.ts'
import { recordKinds } from '#contract/kinds.ts'
import { sql } from '#server/platform/database/database.ts'
import { defineKind, createTitleSql, createTextSort, type Link, type RecordKind } from '#server/platform/records/kind.ts'
import { deriveColumns, deriveCompanyInInsert } from './derive.ts'
import { findDuplicates, insertUnlessDuplicate } from './duplicates.ts'

/** The link of a contact to its manager. */
const reportsTo: Link = { field: 'reports_to_id', to: recordKinds.contact, titleField: 'reports_to_name' }

const newestNote = '(select n.content from notes n where n.user_id = c.user_id and n.contact_id = c.id order by n.id desc limit 1)'
/** SQL for the newest note, or the description if there is no note: at most 200 characters, with spaces for line breaks and tabs. */
const noteOrDescription = `translate(left(coalesce(${newestNote}, c.description), 200), E'\\n\\r\\t', '   ')`

const kind = defineKind({
  ...recordKinds.contact,
  FullRecord: Contact,
  Row: ContactRow,
  exportColumnNames: contactColumns,
  computedColumns: { reports_to: createTitleSql(reportsTo), notes: noteOrDescription },
  emptyRecord: emptyContact,
  emptyDerived: { phone_key: '', mobile_phone_key: '' },
  titleOf: ({ first_name, last_name }) => [first_name, last_name].filter((name) => typeof name === 'string' && name !== '').join(' '),
  searchResult: { sortColumn: 'name', title: 'c.name', detail: `case when c.company <> '' then c.company else c.email end` },
  sorts: {
    name: createTextSort('name'),
    email: { column: 'email_key', type: 'text', emptyCondition: "= ''" },
    company: createTextSort('company'),
  },
  filters: contactFilters,
  foldedColumns: ['company'],
  linksByConstraint: { crm_contacts_reports_to: reportsTo, crm_contacts_company: { field: 'company_id', to: recordKinds.company } },
  derive: deriveColumns,
  deriveInInsert: deriveCompanyInInsert,
  refuse: (id, { reports_to_id: manager }) =>
    typeof manager === 'string' && manager.toLowerCase() === id?.toLowerCase()
      ? { reports_to_id: 'A contact cannot report to itself' }
      : undefined,
  check: (ids, { reports_to_id: manager }) => (manager ? sql('select app.refuse_circle($1, $2)', [ids, manager]) : undefined),
  constraints: {
    crm_contacts_circle: {
      field: 'reports_to_id',
      message: 'This person reports to the contact already, perhaps through others. Choose somebody else.',
    },
  },
})

/** SQL for the additional data as an object in JSON; empty if there is none. */
const additionalData = `coalesce(nullif((c.raw_data - array['${syncedValuesKey}', '${mergedContactsKey}'])::text, '{}'), '')`

/** The record kind of contacts. An export contains the full text of the newest note, which lists shorten to one line. */
export const contacts: RecordKind = {
  ...kind,
  exportColumns: { ...kind.exportColumns, notes: `coalesce(${newestNote}, '')`, raw_data: additionalData },
  duplicates: {
    insert: (owner, id, columns) => insertUnlessDuplicate(kind, owner, id, columns),
    find: findDuplicates,
  },
}
