import type { importFields } from '#contract/importFields.ts'
import type { ImportKind } from '#contract/imports.ts'

type FieldName<Kind extends ImportKind> = (typeof importFields)[Kind][number]
type Section<Field> = { title: string; fields: readonly (readonly [name: Field, label: string])[] }
type Sections = { [Kind in ImportKind]: readonly Section<FieldName<Kind>>[] }

/** The fields to which a column can be mapped, in the sections of the select of a column. */
export const fieldSections: Sections = {
  contact: [
    {
      title: 'Name',
      fields: [
        ['full_name', 'Full name'],
        ['first_name', 'First name'],
        ['middle_name', 'Middle name'],
        ['last_name', 'Last name'],
      ],
    },
    {
      title: 'Contact details',
      fields: [
        ['email', 'Email'],
        ['phone', 'Phone'],
        ['mobile_phone', 'Mobile phone'],
      ],
    },
    {
      title: 'Work',
      fields: [
        ['company', 'Company'],
        ['title', 'Title'],
        ['department', 'Department'],
        ['reports_to', 'Reports to'],
      ],
    },
    {
      title: 'Address',
      fields: [
        ['mailing_street', 'Street'],
        ['postal_code_and_city', 'Postal code and city'],
        ['mailing_city', 'City'],
        ['mailing_state', 'State'],
        ['mailing_postal_code', 'Postal code'],
        ['mailing_country', 'Country'],
      ],
    },
    {
      title: 'More',
      fields: [
        ['lead_source', 'Lead source'],
        ['tags', 'Tags'],
        ['description', 'Description'],
        ['notes', 'Note'],
        ['left_out', 'Not imported'],
      ],
    },
  ],
  company: [
    {
      title: 'Company',
      fields: [
        ['name', 'Name'],
        ['industry', 'Industry'],
        ['employees_count', 'Employees'],
        ['tags', 'Tags'],
      ],
    },
    {
      title: 'Contact details',
      fields: [
        ['website', 'Website'],
        ['phone', 'Phone'],
        ['email', 'Email'],
      ],
    },
  ],
  deal: [
    {
      title: 'Deal',
      fields: [
        ['title', 'Title'],
        ['stage', 'Stage'],
        ['value', 'Value'],
        ['probability', 'Probability'],
        ['expected_close_date', 'Expected close date'],
        ['tags', 'Tags'],
        ['description', 'Description'],
      ],
    },
    {
      title: 'Belongs to',
      fields: [
        ['contact_name', 'Contact, by name or email'],
        ['company_name', 'Company, by name'],
      ],
    },
  ],
  task: [
    {
      title: 'Task',
      fields: [
        ['title', 'Title'],
        ['status', 'Status'],
        ['priority', 'Priority'],
        ['due_date', 'Due date'],
        ['description', 'Description'],
      ],
    },
    {
      title: 'Belongs to',
      fields: [
        ['contact_name', 'Contact, by name or email'],
        ['deal_title', 'Deal, by title'],
      ],
    },
  ],
}

/** Describes what happens to a column without a field. Only contacts keep the values of such columns. */
const describeNoField = (kind: ImportKind): string => (kind === 'contact' ? 'Kept as additional data' : 'Not imported')

/** The options of the select of a column. The value of the option for no field is an empty text. */
export const getFieldOptions = (kind: ImportKind) => [
  { value: '', label: describeNoField(kind) },
  ...fieldSections[kind].map(({ title, fields }) => ({
    group: title,
    items: fields.map(([value, label]: readonly [string, string]) => ({ value, label })),
  })),
]

/** The label of a field; the name itself if the field is not known. */
export function getFieldLabel(kind: ImportKind, name: string): string {
  const sections: readonly Section<string>[] = fieldSections[kind]
  return sections.flatMap(({ fields }) => fields).find(([field]) => field === name)?.[1] ?? name
}
