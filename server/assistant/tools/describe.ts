import * as z from 'zod/mini'
import { linkFields, writableFields, type ToolKind } from './kinds.ts'

/** Returns a line for each kind with its fields, filters and sorts, as the model reads them. */
export const describeKinds = (toolKinds: readonly ToolKind[]): string => toolKinds.map(describeKind).join('\n')

function describeKind({ name, recordKind, routes }: ToolKind): string {
  const links = linkFields(recordKind)
  const schemas = writableFields(routes.create ?? routes.update)
  const required = requiredFields(routes.create)
  const fields = Object.entries(schemas).map(([field, schema]) => {
    const link = links.get(field)
    const type = link === undefined ? describeType(schema) : `link to ${link}`
    return `${field}${required.has(field) ? '*' : ''}${type === 'text' ? '' : ` ${type}`}`
  })
  const filters = Object.entries(recordKind.filters).map(([field, type]) => `${field} ${type}`)
  const sorts = ['newest', ...Object.keys(recordKind.sorts)]
  const list = routes.list ? `; filter: ${filters.join(', ')}; sort: ${sorts.join(', ')}` : ''
  return `${name}: ${fields.join(', ')}${list}`
}

function requiredFields(create: ToolKind['routes']['create']): ReadonlySet<string> {
  const { required = [] } = create?.body ? toJsonSchema(create.body) : {}
  return new Set(required)
}

/** Returns a short name of the type, such as "number", "date" or the choices. */
function describeType(schema: z.core.$ZodType): string {
  const { type, format, enum: choices, anyOf = [], items } = toJsonSchema(schema)
  if (choices) return choices.filter((choice) => choice !== '').join('|')
  const [first] = anyOf.filter((option) => typeof option === 'object' && option.type !== 'null')
  if (typeof first === 'object') return first.format ?? toTypeName(first.type)
  if (items) return 'list of texts'
  return format ?? toTypeName(type)
}

function toTypeName(type: unknown): string {
  if (type === 'integer') return 'number'
  return typeof type === 'string' && type !== 'string' ? type : 'text'
}

/** Returns the JSON schema of the input; what JSON schema cannot express allows any value. */
export const toJsonSchema = (schema: z.core.$ZodType) => z.toJSONSchema(schema, { target: 'draft-7', io: 'input', unrepresentable: 'any' })
