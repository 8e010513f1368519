import type { FieldType } from '#contract/formFields.ts'

/** The types in the order of the choice. */
export const fieldTypeLabels: Readonly<Record<FieldType, string>> = {
  text: 'Text',
  email: 'Email',
  tel: 'Phone',
  textarea: 'Long text',
  number: 'Number',
  date: 'Date',
  select: 'Dropdown',
  radio: 'One choice',
  checkbox: 'Several choices',
  consent: 'Consent',
  file: 'File',
  hidden: 'Hidden',
  heading: 'Heading',
}
