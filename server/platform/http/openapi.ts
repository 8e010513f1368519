import * as z from 'zod/mini'
import { errors, Problem } from '#contract/errors.ts'
import { scopesOf, type Route } from '#contract/route.ts'

/** Generates the OpenAPI 3.1 document of the routes from the contract. */
export function openApi(routes: Route[], address: string): { openapi: string; [part: string]: unknown } {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) (paths[route.path] ??= {})[route.method.toLowerCase()] = describeRoute(route)
  return {
    openapi: '3.1.0',
    info: { title: 'Foyer', version: '1', license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: address }],
    paths,
    components: {
      schemas: { Problem: toJsonSchema(z.extend(Problem, { code: z.enum(Object.keys(errors)) }), 'output') },
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', description: 'The token of POST /api/session' },
        ...(routes.some((route) => scopesOf(route).length > 0) && {
          apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'An API key with one of the scopes of the route' },
        }),
      },
    },
  }
}

function describeRoute(route: Route): unknown {
  const { summary, params, query, body, example } = route
  return {
    summary,
    operationId: createOperationId(route),
    security: describeSecurity(route),
    parameters: [
      ...describeParameters('path', params, example.params),
      ...describeParameters('query', query, example.query),
      ...(route.changes === 'journaled' ? [describeIdempotencyKey(route)] : []),
    ],
    ...(route.upload && { requestBody: { required: true, content: anyBytes } }),
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: toJsonSchema(body, 'input'), example: example.body } } },
    }),
    responses: { ...describeSuccess(route), default: describeErrors(route) },
  }
}

const describeIdempotencyKey = ({ requiresIdempotencyKey, upload }: Route): unknown => ({
  name: 'Idempotency-Key',
  in: 'header',
  schema: { type: 'string', maxLength: 100 },
  required: requiresIdempotencyKey === true,
  description: upload ? 'Makes a retry safe, if both requests have the same Content-Digest with sha-256 or sha-512' : 'Makes a retry safe',
})

/** Returns the credentials that a route accepts; one of them is enough. The scopes of API keys are information for human readers. */
function describeSecurity(route: Route): Record<string, string[]>[] {
  if (route.caller !== 'user') return []
  return [{ session: [] }, ...scopesOf(route).map((scope) => ({ apiKey: [scope] }))]
}

/** Returns a name such as `get_contacts_id` for `GET /api/contacts/{id}`. */
function createOperationId({ method, path }: Route): string {
  const words = path.split(/[/{}-]+/).filter((word) => word !== '' && word !== 'api')
  return [method.toLowerCase(), ...words].join('_')
}

function describeParameters(place: 'path' | 'query', schema: z.ZodMiniType | undefined, example: Record<string, string> = {}): unknown[] {
  if (!schema) return []
  const { properties = {}, required = [] } = toJsonSchema(schema, 'input')
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
    ...(example[name] !== undefined && { example: example[name] }),
  }))
}

const continuedDescription = 'A large change continues. GET /api/changes/{id} has the progress of the change in the header Foyer-Change'

/** The content of a file. OpenAPI 3.1 has no schema for bytes. */
const anyBytes = { '*/*': {} }

/** Describes the responses to a successful request. */
function describeSuccess({ out, events, eventList, file, download, status, mayContinue }: Route): Record<string, unknown> {
  const payload = events ?? eventList
  if (payload)
    return { 200: { description: 'A stream of events', content: { 'text/event-stream': { schema: toJsonSchema(payload, 'output') } } } }
  if (download)
    return {
      200: { description: 'The file', content: anyBytes },
      206: { description: 'A part of the file', content: anyBytes },
      304: { description: 'Unchanged' },
    }
  if (file) return { 200: { description: 'A file', content: { [file]: { schema: { type: 'string' } } } } }
  if (!out && mayContinue) return { 202: { description: continuedDescription }, 204: { description: 'Done' } }
  if (!out) return { 204: { description: 'Done' } }
  const content = { 'application/json': { schema: toJsonSchema(out, 'output') } }
  return { [status ?? 200]: { description: 'Done', content }, ...(mayContinue && { 202: { description: 'A job continues', content } }) }
}

function describeErrors({ errors: codes = [] }: Route): unknown {
  const sentences = codes.map((code) => `\`${code}\` (${errors[code][0]}): ${errors[code][1]}`)
  return {
    description: ['A problem document.', ...sentences].join('\n\n'),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  }
}

/** Converts a zod schema. Leaves out `$schema`, which OpenAPI states for the whole document. */
function toJsonSchema(schema: z.ZodMiniType, io: 'input' | 'output') {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return jsonSchema
}
