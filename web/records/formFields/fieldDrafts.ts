import * as z from 'zod/mini'
import { FormField, typesWithOptions, type FieldType } from '#contract/formFields.ts'
import { newId } from '#web/lib/ids.ts'

/** A field as it is typed, so its texts may still be missing or too long. */
export const FieldDraft = z.extend(FormField, {
  field_name: z.string(),
  field_label: z.string(),
  placeholder: z.string(),
  options: z.array(z.string()),
})

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
 * Returns the error messages of a form that are about the list of fields with the name `list`, by the id of the field and its property, such
 * as `{id}.field_label`. The message about the whole list has an empty name. `fields` are the fields that were checked: their positions are
 * in the paths of `errors`, such as `{list}.0.field_label`.
 */
export const getListErrors = (
  errors: Readonly<Record<string, string>>,
  list: string,
  fields: readonly { id: string }[],
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(errors).flatMap(([path, text]) => {
      if (path === list) return [['', text]]
      if (!path.startsWith(`${list}.`)) return []
      const [position, property = ''] = path.slice(list.length + 1).split('.')
      const field = fields[Number(position)]
      return field ? [[`${field.id}.${property}`, text]] : []
    }),
  )
