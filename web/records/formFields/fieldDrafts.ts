import { typesWithOptions, type FieldType, type FormField } from '#contract/formFields.ts'
import { newId } from '#web/lib/ids.ts'

/** A new field. While fields are edited, their options are lines as they are typed, which may be empty. */
export const newField = (): FormField => ({
  id: newId(),
  field_name: '',
  field_label: '',
  field_type: 'text',
  is_required: false,
  placeholder: '',
  options: [],
})

/** Returns the edited fields as the server takes them. Options belong only to the types that have them. */
export const toSentFields = (fields: readonly FormField[]): FormField[] =>
  fields.map((field) => ({
    ...field,
    is_required: field.is_required && canBeRequired(field.field_type),
    options: hasOptions(field.field_type) ? field.options.map((line) => line.trim()).filter((line) => line !== '') : [],
  }))

export const hasOptions = (type: FieldType): boolean => typesWithOptions.includes(type)
export const canBeRequired = (type: FieldType): boolean => type !== 'heading' && type !== 'hidden'

/** Returns the messages of a list of fields from those of a form, by path below the list; that of the whole list has an empty path. */
export const getListErrors = (errors: Readonly<Record<string, string>>, list: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(errors).flatMap(([path, text]) =>
      path === list || path.startsWith(`${list}.`) ? [[path.slice(list.length + 1), text]] : [],
    ),
  )
