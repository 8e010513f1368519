import * as z from 'zod/mini'
import { isInvisible, toAsciiDomain } from './fields.ts'
import { toSlug } from './slugs.ts'
import { findAnswerError } from './visitorForms.ts'

// The fields of lead forms, and of the questions on booking pages: their description, and the check of what a visitor answers.

/**
 * The types of fields. `select` and `radio` have one of several options, `checkbox` any number of them. `consent` is a box that is ticked
 * or not. `hidden` is filled from the address of the page. `heading` has no answer.
 */
export const fieldTypes = [
  'text',
  'email',
  'tel',
  'textarea',
  'number',
  'date',
  'select',
  'radio',
  'checkbox',
  'consent',
  'file',
  'hidden',
  'heading',
] as const
export type FieldType = (typeof fieldTypes)[number]

/** The types of fields that have a list of options. */
export const typesWithOptions: readonly FieldType[] = ['select', 'radio', 'checkbox']

export const formLimits = { fields: 50, options: 50, filesOfField: 5, files: 10, totalFileBytes: 10 * 1024 ** 2 } as const

/** The names of the fixed fields of every form, which no other field may have. */
export const fixedFieldNames = ['first_name', 'last_name'] as const

const shortText = (max: number) => z.string().check(z.trim(), z.maxLength(max, `At most ${max} characters`))

/**
 * A field of a form. `id` stays the same when the field is renamed or moved. The name is the key of the answer; the server gives a field
 * without a name one with the function `nameFields`.
 */
export const FormField = z.strictObject({
  id: z.uuid(),
  field_name: shortText(50).check(
    z.regex(/^(?:[A-Za-z][A-Za-z0-9_]*)?$/, 'Begin with a letter, and use letters without accents, digits and _'),
    z.refine((name) => !fixedFieldNames.some((fixed) => fixed === name.toLowerCase()), 'This name belongs to a fixed field'),
    // `constructor` and other properties that every object has could be read as answers
    z.refine((name) => !(name in {}), 'Choose another name'),
  ),
  field_label: shortText(200).check(z.minLength(1, 'Enter a label')),
  field_type: z.enum(fieldTypes),
  is_required: z._default(z.boolean(), false),
  placeholder: z._default(shortText(200), ''),
  options: z._default(
    z
      .array(shortText(200).check(z.minLength(1, 'Enter an option')))
      .check(z.maxLength(formLimits.options, `At most ${formLimits.options} options`)),
    [],
  ),
})
export type FormField = z.output<typeof FormField>

/**
 * Refuses the fields for which `isRefused` is true, with a message at one of their properties, where a form can show it. `repeatedNames`
 * are the names that several fields have, in lower case.
 */
const refuseFields = (
  property: keyof FormField,
  message: string,
  isRefused: (field: FormField, repeatedNames: ReadonlySet<string>) => boolean,
) =>
  z.superRefine<FormField[]>((fields, context) => {
    const repeatedNames = findRepeated(fields.map(({ field_name: name }) => name.toLowerCase()))
    for (const [index, field] of fields.entries())
      if (isRefused(field, repeatedNames)) context.addIssue({ code: 'custom', message, path: [index, property], input: field[property] })
  })

export const FormFields = z.array(FormField).check(
  z.maxLength(formLimits.fields, `At most ${formLimits.fields} fields`),
  z.refine((fields) => hasNoRepeats(fields.map(({ id }) => id)), 'Two fields have the same id'),
  refuseFields(
    'field_name',
    'Two fields have the same name',
    ({ field_name: name }, repeatedNames) => name !== '' && repeatedNames.has(name.toLowerCase()),
  ),
  refuseFields(
    'options',
    'A field with choices needs at least one option',
    ({ field_type, options }) => typesWithOptions.includes(field_type) && options.length === 0,
  ),
  refuseFields('options', 'Name each option only once', ({ options }) => !hasNoRepeats(options)),
)

const hasNoRepeats = (texts: readonly string[]): boolean => new Set(texts).size === texts.length

/** Returns the texts that are in the list more than once. */
function findRepeated(texts: readonly string[]): Set<string> {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const text of texts) {
    if (seen.has(text)) repeated.add(text)
    seen.add(text)
  }
  return repeated
}

/** `saved`: the fields before the edit. `nextNumber`: no field with this number or a higher one has ever had an automatic name. */
type EarlierFields = { saved?: readonly Pick<FormField, 'id' | 'field_name'>[]; nextNumber?: number }
type NamedField = Pick<FormField, 'id' | 'field_name' | 'field_label' | 'field_type'>

/**
 * Gives each field without a name the name that it had before the edit, or else a new one: `field_{index}`, counted from 0, or a higher
 * number. The owner writes the name of a hidden field into addresses, so it is made from the label if possible. An automatic name of a
 * removed field is not given again, because old answers and open pages have it.
 */
export function nameFields<Field extends NamedField>(
  fields: readonly Field[],
  { saved = [], nextNumber = 0 }: EarlierFields = {},
): Field[] {
  const usedNames = new Set(fields.map(({ field_name: name }) => name.toLowerCase()))
  const use = (field: Field, name: string): Field => {
    usedNames.add(name.toLowerCase())
    return { ...field, field_name: name }
  }
  const savedNames = new Map(saved.map(({ id, field_name: name }) => [id, name]))
  const keptFields = fields.map((field) => {
    const name = savedNames.get(field.id) ?? ''
    return field.field_name === '' && !usedNames.has(name.toLowerCase()) ? use(field, name) : field
  })
  const firstNumber = Math.max(nextNumber, ...saved.map(({ field_name: name }) => readAutomaticNumber(name) + 1))
  return keptFields.map((field, index) => {
    if (field.field_name !== '') return field
    const labelName = field.field_type === 'hidden' ? toFieldName(field.field_label) : ''
    if (labelName !== '' && !usedNames.has(labelName)) return use(field, labelName)
    let number = Math.max(index, firstNumber)
    while (usedNames.has(`field_${number}`)) number++
    return use(field, `field_${number}`)
  })
}

/** Returns a name that is made from a label, such as `ad_source`; empty if it would not be a valid name. */
function toFieldName(label: string): string {
  const name = toSlug(label).replaceAll('-', '_').slice(0, 50)
  return z.safeParse(FormField.shape.field_name, name).success ? name : ''
}

/** Returns the number in an automatic name; -1 for another name. */
const readAutomaticNumber = (name: string): number => Number(/^field_(\d{1,9})$/i.exec(name)?.[1] ?? -1)

/** The answers by the names of the fields. A field that was not answered has no key. */
export type Answers = Record<string, string | string[] | boolean>
type Answer = Answers[string]

/** The answers without files, and a message for each field that was not answered as it must be, by its name. */
export type CheckedAnswers = { answers: Answers; messages: Record<string, string> }

/**
 * Checks the answers to these fields. Values of other names are dropped. A value may have any type, because a visitor has sent it.
 * `fieldsWithFiles` has the names of the fields for which at least one file was sent.
 */
export function checkAnswers(
  fields: readonly FormField[],
  values: Readonly<Record<string, unknown>>,
  fieldsWithFiles: ReadonlySet<string> = new Set(),
): CheckedAnswers {
  const answers: [string, Answer][] = []
  const messages: [string, string][] = []
  for (const field of fields) {
    const { field_name: name, field_label: label, field_type: type, is_required: isRequired } = field
    if (type === 'heading') continue
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    const result = type === 'file' ? undefined : readAnswer(field, value)
    const isAnswered = type === 'file' ? fieldsWithFiles.has(name) : result?.answer !== undefined
    if (result?.message !== undefined) messages.push([name, `${label} ${result.message}`])
    else if (isRequired && !isAnswered && type !== 'hidden') messages.push([name, describeMissing(field)])
    else if (result?.answer !== undefined) answers.push([name, result.answer])
  }
  return { answers: Object.fromEntries(answers), messages: Object.fromEntries(messages) }
}

/**
 * Returns the message for a required field without an answer. The label of a consent is a whole sentence, so the message leaves it out.
 * Lead forms also have the fixed fields, whose message is about both of them.
 */
export function describeMissing({ field_name: name, field_label: label, field_type: type }: FormField): string {
  if (fixedFieldNames.some((fixed) => fixed === name)) return 'First name and last name are required'
  return type === 'consent' ? 'Tick this box to continue' : `${label} is required`
}

/** Returns an answer as a text for people. `separator` is between several choices. */
export function formatAnswer(answer: Answer, separator = ', '): string {
  if (typeof answer === 'boolean') return answer ? 'Yes' : 'No'
  return Array.isArray(answer) ? answer.join(separator) : answer
}

/** `answer` is missing if nothing was answered. `message` is the end of a sentence that begins with the label. */
type ReadResult = { answer?: Answer; message?: string }

function readAnswer({ field_type: type, options }: FormField, value: unknown): ReadResult {
  if (value === undefined || value === null || value === '') return {}
  if (type === 'consent') return readConsent(value)
  if (type === 'checkbox') return readChoices(value, options)
  if (typeof value !== 'string' && !(type === 'number' && typeof value === 'number'))
    return { message: 'has an answer that cannot be read' }
  const text = cleanText(String(value), type === 'textarea')
  if (text === '' || isInvisible(text)) return {}
  const answer = type === 'email' ? toAsciiDomain(text) : text
  if ((type === 'select' || type === 'radio') && !options.includes(answer)) return { message: 'has a choice that does not exist' }
  const message = findAnswerError(type, answer)
  return message === undefined ? { answer } : { message }
}

function readConsent(value: unknown): ReadResult {
  if (value === true || value === 'yes') return { answer: true }
  return value === false ? {} : { message: 'has an answer that cannot be read' }
}

function readChoices(value: unknown, options: readonly string[]): ReadResult {
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [value]
  const known = options.filter((option) => chosen.includes(option))
  if (known.length !== chosen.length) return { message: 'has a choice that does not exist' }
  return known.length === 0 ? {} : { answer: known }
}

/**
 * Removes characters that embed or override the direction of a text, because they can make it look like another one. If the text may have
 * several lines, removes control characters other than line breaks and tabs. If not, replaces each run of control characters and line
 * breaks with a space.
 */
function cleanText(answer: string, isMultiline: boolean): string {
  const text = answer.replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, '')
  return (isMultiline ? text.replaceAll(/(?![\n\t])\p{Cc}/gu, '') : text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')).trim()
}
