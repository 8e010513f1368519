import type { FieldType } from '#contract/formFields.ts'

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
