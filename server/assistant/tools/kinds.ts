// The record kinds of the tools. Their routes are found in the contract, so that the tools cover a new kind without further code.
import * as z from 'zod/mini'
import { apiPathOf, kindNames, type KindName } from '#contract/kinds.ts'
import type { Route } from '#contract/route.ts'
import { allRoutes } from '#contract/routes.ts'
import type { RecordKind } from '#server/platform/records/kind.ts'

/** The routes that the tools with a parameter `kind` call, by the method and the path after `/api/<plural>`. */
const paths = {
  list: ['GET', ''],
  count: ['GET', '/count'],
  sum: ['GET', '/sum'],
  tags: ['GET', '/tags'],
  get: ['GET', '/{id}'],
  create: ['POST', ''],
  update: ['PATCH', '/{id}'],
  delete: ['DELETE', '/{id}'],
  tag: ['POST', '/bulk/tag'],
} as const
type RouteName = keyof typeof paths

/** A record kind with its routes. A kind without lists that can be filtered, such as notes, has no `list`. */
export type ToolKind = { name: KindName; recordKind: RecordKind; routes: Partial<Record<RouteName, Route>> }

/**
 * The kinds without tools: conversations are not a part of the assistant's work, only the user decides what visitors see, and submissions
 * come from visitors.
 */
const omittedKinds: readonly KindName[] = ['conversation', 'booking link', 'lead form', 'submission']

/** Returns the kinds of the tools. */
export const createToolKinds = (kinds: readonly RecordKind[]): ToolKind[] =>
  kinds.flatMap((kind) => {
    const name = kindNames.find((each) => each === kind.singular)
    return name === undefined || omittedKinds.includes(name) ? [] : [{ name, recordKind: kind, routes: findKindRoutes(kind.plural) }]
  })

function findKindRoutes(plural: string): ToolKind['routes'] {
  const routes: ToolKind['routes'] = {}
  for (const [name, [method, path]] of Object.entries(paths)) {
    const route = allRoutes.find((each) => each.method === method && each.path === `${apiPathOf(plural)}${path}`)
    const isListWithoutFilter = name === 'list' && !('filter' in shapeOf(route?.query))
    if (route && !isListWithoutFilter && isRouteName(name)) routes[name] = route
  }
  return routes
}

const isRouteName = (name: string): name is RouteName => Object.hasOwn(paths, name)

/** Returns the fields of an object's schema; none for another schema. */
export const shapeOf = (schema: z.ZodMiniType | undefined): Readonly<Record<string, z.core.$ZodType>> =>
  schema instanceof z.ZodMiniObject ? schema.def.shape : {}

/** What a body has beside the fields of the record. */
const otherFields = new Set(['id', 'version', 'allow_duplicate'])

/** Returns the schemas of the fields that a new record or an edit may have. */
export const writableFields = (route: Route | undefined): Readonly<Record<string, z.core.$ZodType>> =>
  Object.fromEntries(Object.entries(shapeOf(route?.body)).filter(([name]) => !otherFields.has(name)))

/** Returns the fields that link to other records, with the kind of the linked record. */
export const linkFields = ({ linksByConstraint }: RecordKind): ReadonlyMap<string, string> =>
  new Map(Object.values(linksByConstraint).map(({ field, to }) => [field, to.singular]))

/** Returns the names of the kinds that have the route. */
export const namesOfKindsWithRoute = (toolKinds: readonly ToolKind[], route: RouteName): string[] =>
  toolKinds.filter(({ routes }) => routes[route]).map(({ name }) => name)

/** Returns the kind with this name. */
export function getKind(toolKinds: readonly ToolKind[], name: string): ToolKind {
  const found = toolKinds.find((each) => each.name === name)
  if (!found) throw new Error(`There is no kind ${name}`)
  return found
}
