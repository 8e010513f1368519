import * as z from 'zod/mini'
import type { ApiField, ApiRoute } from '#contract/pages.ts'
import { errors, type ErrorCode } from '#contract/errors.ts'
import { scopesOf, type Route } from '#contract/route.ts'
import { toCommand } from './command.ts'

/** Describes a route for the page about the API. */
export function describeRoute(route: Route, origin: string): ApiRoute {
  const { method, path, summary, params, query, body, out, errors: codes = [] } = route
  return {
    id: `${method} ${path}`.toLowerCase().replaceAll(/[^a-z\d]+/g, '-'),
    method,
    path,
    summary,
    scopes: scopesOf(route),
    parameters: [...listFields(params, 'input').map((field) => ({ ...field, isRequired: true })), ...listFields(query, 'input')],
    body: listFields(body, 'input'),
    response: describeResponse(route),
    // "required" is shown only for fields that a request must have
    responseFields: listFields(out, 'output').map((field) => ({ ...field, isRequired: false })),
    errors: codes.map(describeError),
    command: toCommand(route, origin),
  }
}

export const describeError = (code: ErrorCode): { code: string; status: number; sentence: string } => ({
  code,
  status: errors[code][0],
  sentence: errors[code][1],
})

function describeResponse({ out, events, eventList, download, file, status, mayContinue }: Route): string {
  if (out) return `Status ${status ?? 200} and JSON`
  if (events ?? eventList) return 'A stream of server-sent events'
  if (download ?? file) return 'A file'
  return mayContinue ? 'Status 204, or 202 if it continues after the response' : 'Status 204'
}

type JsonSchema = z.core.JSONSchema.BaseSchema

/** Returns the fields of an object. */
function listFields(schema: z.ZodMiniType | undefined, io: 'input' | 'output'): ApiField[] {
  if (!schema) return []
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return Object.entries(properties).flatMap(([name, property]) =>
    typeof property === 'object' ? [{ name, type: describeType(property), isRequired: required.includes(name) }] : [],
  )
}

/** Returns a short text such as "text", "whole number", "lead, qualified, proposal", "list of text". */
function describeType({ type, format, enum: choices, const: constant, anyOf = [], items, properties }: JsonSchema): string {
  if (constant !== undefined) return JSON.stringify(constant)
  if (choices) return choices.map((choice) => (choice === '' ? 'empty' : String(choice))).join(', ')
  if (anyOf.length > 0) return [...new Set(anyOf.map((option) => (typeof option === 'object' ? describeType(option) : 'any')))].join(' or ')
  if (type === 'array') return `list of ${typeof items === 'object' && !Array.isArray(items) ? describeType(items) : 'values'}`
  if (type === 'object') return properties ? `object with ${Object.keys(properties).join(', ')}` : 'object'
  if (type === 'string') return formats[format ?? ''] ?? 'text'
  return types[String(type)] ?? 'any value'
}

const formats: Readonly<Record<string, string>> = {
  uuid: 'id',
  'date-time': 'time',
  date: 'date as YYYY-MM-DD',
  email: 'email',
  uri: 'address',
}
const types: Readonly<Record<string, string>> = { integer: 'whole number', number: 'number', boolean: 'true or false', null: 'null' }
