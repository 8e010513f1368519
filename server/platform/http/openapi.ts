import * as z from 'zod/mini'
import { errors, Problem } from '#contract/errors.ts'
import type { Route } from '#contract/route.ts'

/** Generates the OpenAPI 3.1 document of the routes from the contract. */
export function openApi(routes: Route[], address: string): { openapi: string; [part: string]: unknown } {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) (paths[route.path] ??= {})[route.method.toLowerCase()] = operation(route)
  return {
    openapi: '3.1.0',
    info: { title: 'Foyer', version: '1', license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: address }],
    paths,
    components: {
      schemas: { Problem: jsonSchema(Problem, 'output') },
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', description: 'The token of POST /api/session' },
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key with the scope of the route' },
      },
    },
  }
}

function operation(route: Route): unknown {
  const { summary, params, query, body, example } = route
  return {
    summary,
    operationId: operationId(route),
    security: securityOf(route),
    parameters: [
      ...parameters('path', params, example.params),
      ...parameters('query', query, example.query),
      ...(route.changes === 'journaled'
        ? [
            {
              name: 'Idempotency-Key',
              in: 'header',
              schema: { type: 'string', maxLength: 100 },
              required: route.requiresIdempotencyKey ?? false,
              description: 'Makes a retry safe',
            },
          ]
        : []),
    ],
    ...(route.upload && { requestBody: { required: true, content: { '*/*': { schema: binary } } } }),
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(body, 'input'), example: example.body } } },
    }),
    responses: { ...success(route), default: failure(route) },
  }
}

/** Lists the scopes, although OpenAPI 3.1 defines no meaning of scopes for bearer tokens. */
function securityOf({ caller, scope }: Route): Record<string, string[]>[] {
  if (caller !== 'user') return []
  return scope ? [{ session: [] }, { apiKey: [scope] }] : [{ session: [] }]
}

function operationId({ method, path }: Route): string {
  const words = path.split(/[/{}-]+/).filter((word) => word !== '' && word !== 'api')
  return [method.toLowerCase(), ...words].join('_')
}

function parameters(place: 'path' | 'query', schema: z.ZodMiniType | undefined, example: Record<string, string> = {}): unknown[] {
  if (!schema) return []
  const { properties = {}, required = [] } = jsonSchema(schema, 'input')
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
    ...(example[name] !== undefined && { example: example[name] }),
  }))
}

const binary = { type: 'string', format: 'binary' }

function success({ out, events, eventList, file, download, status }: Route): Record<string, unknown> {
  const payload = events ?? eventList
  if (payload)
    return { 200: { description: 'A stream of events', content: { 'text/event-stream': { schema: jsonSchema(payload, 'output') } } } }
  const content = { '*/*': { schema: binary } }
  if (download)
    return {
      200: { description: 'The file', content },
      206: { description: 'A part of the file', content },
      304: { description: 'Unchanged' },
    }
  if (file) return { 200: { description: 'A file', content: { [file]: { schema: { type: 'string' } } } } }
  if (!out) return { 204: { description: 'Done' } }
  return { [status ?? 200]: { description: 'Done', content: { 'application/json': { schema: jsonSchema(out, 'output') } } } }
}

function failure({ errors: codes = [] }: Route): unknown {
  const own = codes.map((code) => `\`${code}\` (${errors[code][0]}): ${errors[code][1]}`)
  return {
    description: ['A problem document.', ...own].join('\n\n'),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  }
}

function jsonSchema(schema: z.ZodMiniType, io: 'input' | 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
