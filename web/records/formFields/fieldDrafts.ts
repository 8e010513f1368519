import { typesWithOptions, type FieldType, type FormField } from '#contract/formFields.ts'
import { newId } from '#web/lib/ids.ts'

/** A new field. While a field is edited, its options are the typed lines, some of which may be empty. */
export const newField = (): FormField => ({
  id: newId(),
  field_name: '',
  field_label: '',
  field_type: 'text',
  is_required: false,
  placeholder: '',
  options: [],
})

/**
 * Converts edited fields to fields that the server accepts: without empty options, without options of types that have none, and not required
 * if their type cannot be required.
 */
export const toSentFields = (fields: readonly FormField[]): FormField[] =>
  fields.map((field) => ({
    ...field,
    is_required: field.is_required && canBeRequired(field.field_type),
    options: hasOptions(field.field_type) ? field.options.map((line) => line.trim()).filter((line) => line !== '') : [],
  }))

export const hasOptions = (type: FieldType): boolean => typesWithOptions.includes(type)
export const canBeRequired = (type: FieldType): boolean => type !== 'heading' && type !== 'hidden'

/**
 * Returns the error messages of a form that are about the list of fields with the name `list`. Their paths are relative to the list; the
 * message about the whole list has an empty path.
 */
export const getListErrors = (errors: Readonly<Record<string, string>>, list: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(errors).flatMap(([path, text]) =>
      path === list || path.startsWith(`${list}.`) ? [[path.slice(list.length + 1), text]] : [],
    ),
  )
