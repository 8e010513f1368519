// The rows of a merge. In each row the user chooses one of the two values of a field.
import type { Contact } from '#contract/contacts.ts'
import type { MergedField } from '#contract/duplicates.ts'
import { formatAddress, formatFullName } from '../contactKind.tsx'

/** A contact of a pair: `this` remains after the merge, `other` is deleted. */
export type Side = 'this' | 'other'

/** Fields that are chosen together, such as the parts of an address. `format` returns an empty text if a contact has no value. */
type MergeField = { name: string; label: string; fields: readonly MergedField[]; format: (contact: Contact) => string }

const mergeFields: readonly MergeField[] = [
  { name: 'name', label: 'Name', fields: ['first_name', 'last_name'], format: formatFullName },
  { name: 'email', label: 'Email', fields: ['email'], format: ({ email }) => email },
  { name: 'phone', label: 'Phone', fields: ['phone'], format: ({ phone }) => phone },
  { name: 'mobile_phone', label: 'Mobile phone', fields: ['mobile_phone'], format: ({ mobile_phone }) => mobile_phone },
  { name: 'company', label: 'Company', fields: ['company'], format: ({ company }) => company },
  { name: 'title', label: 'Title', fields: ['title'], format: ({ title }) => title },
  { name: 'department', label: 'Department', fields: ['department'], format: ({ department }) => department },
  {
    name: 'address',
    label: 'Address',
    fields: ['mailing_street', 'mailing_city', 'mailing_state', 'mailing_postal_code', 'mailing_country'],
    format: formatAddress,
  },
  { name: 'reports_to', label: 'Reports to', fields: ['reports_to_id'], format: ({ reports_to_name }) => reports_to_name },
  { name: 'lead_source', label: 'Lead source', fields: ['lead_source'], format: ({ lead_source }) => lead_source },
  { name: 'description', label: 'Description', fields: ['description'], format: ({ description }) => description },
]

/** A row with the values of both contacts. `isSame` is true if they are equal, so that there is nothing to choose. */
export type MergeRow = MergeField & { values: Record<Side, string>; isSame: boolean }

/** Returns the rows in which at least one contact has a value. */
export function listMergeRows(contact: Contact, other: Contact): MergeRow[] {
  return mergeFields.flatMap((field) => {
    const values = { this: field.format(contact), other: field.format(other) }
    const isSame = field.fields.every((name) => contact[name] === other[name])
    return values.this === '' && values.other === '' ? [] : [{ ...field, values, isSame }]
  })
}

export type Choices = Readonly<Record<string, Side>>

/** Returns the side whose value is kept. Without a choice this is `this`, or `other` if the value of `this` is empty. */
export const getKeptSide = ({ name, values }: MergeRow, choices: Choices): Side => choices[name] ?? (values.this === '' ? 'other' : 'this')

/** Returns the kept side of each field that differs, as the merge request sends it. */
export const toRequestFields = (rows: readonly MergeRow[], choices: Choices): Partial<Record<MergedField, Side>> =>
  Object.fromEntries(rows.flatMap((row) => (row.isSame ? [] : row.fields.map((field) => [field, getKeptSide(row, choices)]))))
