// Makes a tool for each GET route that the tools with a parameter `kind` do not call. The tool is made from the contract of its route.
import * as z from 'zod/mini'
import type { Reference } from '#contract/assistant.ts'
import type { Route } from '#contract/route.ts'
import { allRoutes } from '#contract/routes.ts'
import { callRoute, canCallRoute } from '#server/platform/http/call-route.ts'
import { formatCount } from '#server/platform/records/bulk.ts'
import { hasNoTool, nameOf } from './exceptions.ts'
import { shapeOf, type ToolKind } from './kinds.ts'
import { idOf, parseRecordLink, readRecord, titleOf, toReference } from './records.ts'
import { fitRows, maxRows, textLimits, toModelValue } from './results.ts'
import { defineTool, readerOf, type ToolContext, type UnboundTool } from './tool.ts'

/**
 * Short names of tools and texts of steps. `{subject}` is the title of the record about which the route is asked, `{records}` a text such
 * as "3 notes". Other tools are named by their path, such as `bookings_calendar`.
 */
const titles: Readonly<Record<string, { name: string; step: string }>> = {
  'GET /api/search': { name: 'search', step: 'Searched everything' },
  'GET /api/notes': { name: 'notes', step: 'Read {records} on {subject}' },
  'GET /api/folders': { name: 'folders', step: 'Looked into folders' },
  'GET /api/folders/{id}/path': { name: 'folder_path', step: 'Looked where the folder {subject} is' },
  'GET /api/files/{id}/text': { name: 'file_text', step: 'Read the file {subject}' },
  'GET /api/contacts/{id}/company': { name: 'company_of_contact', step: 'Looked up the company of {subject}' },
  'GET /api/contacts/duplicates': { name: 'duplicate_contacts', step: 'Looked for duplicate contacts' },
  'GET /api/contacts/merges': { name: 'recent_merges', step: 'Looked at the recent merges' },
  'GET /api/deals/totals': { name: 'deal_totals', step: 'Added up the deals by stage' },
  'GET /api/dashboard': { name: 'dashboard', step: 'Looked at the dashboard' },
  'GET /api/views': { name: 'views', step: 'Read the saved views' },
  'GET /api/changes': { name: 'history', step: 'Read the history of {subject}' },
  'GET /api/changes/recent': { name: 'recent_changes', step: 'Read the recent changes' },
  'GET /api/trash': { name: 'trash', step: 'Looked into the trash' },
  'GET /api/storage': { name: 'storage', step: 'Looked up the used space' },
  'GET /api/profile': { name: 'profile', step: 'Looked up the profile' },
}

/** Returns a tool for each of `listReadingRoutes`. */
export const createRouteTools = (toolContext: ToolContext): UnboundTool[] =>
  listReadingRoutes(toolContext.toolKinds).map((route) => createRouteTool(toolContext, route))

/** Returns the routes that get a tool of their own. */
export const listReadingRoutes = (toolKinds: readonly ToolKind[]): Route[] => {
  const reached = new Set(toolKinds.flatMap(({ routes }) => Object.values(routes)))
  return allRoutes.filter((route) => route.method === 'GET' && canCallRoute(route) && !reached.has(route) && !hasNoTool(route))
}

function createRouteTool({ toolKinds, router }: ToolContext, route: Route): UnboundTool {
  const { name, step } = titles[nameOf(route)] ?? toTitle(route)
  const [params, query] = [shapeOf(route.params), shapeOf(route.query)]
  const kind = toolKinds.find(({ recordKind: { plural } }) => route.path === `/api/${plural}`)
  return defineTool({
    name,
    description: route.summary,
    inputSchema: z.strictObject({ ...toInputShape(params), ...toInputShape(query), ...(hasText(route) && textPosition) }),
    failedText: () => withoutSubject(step).replace('{records}', kind?.recordKind.plural ?? 'records'),
    run: async (input, call) => {
      const values: Record<string, unknown> = { ...input }
      const reader = readerOf(call)
      const limit = 'limit' in query ? { limit: maxRows } : {}
      const found = await callRoute(router, route, reader, {
        params: pickParameters(values, params),
        query: { ...pickParameters(values, query), ...limit },
      })
      const subject = findSubject(toolKinds, route, values)
      const subjectRecord = subject && (await readRecord(router, reader, subject.kind, subject.id))
      const result = toModelValue(cutText(found, values['text_from']), {
        toolState: call.toolState,
        maxTextCharacters: textLimits.record,
        kind: kind?.name,
      })
      const listed = listReferences(toolKinds, kind, found)
      const title = subject && subjectRecord && titleOf(subject.kind, subjectRecord)
      const counted = step.replace('{records}', kind ? formatCount(kind.recordKind, listed.length) : '')
      const text = title === undefined ? withoutSubject(counted) : counted.replace('{subject}', () => title) // a title may have `$&`
      return {
        result: hasRows(result) ? fitRows(result) : result,
        step: {
          text: listed.length > 0 && !step.includes('{records}') ? `${text} · ${listed.length} found` : text,
          records: listed.length > 0 || !subject || !subjectRecord ? listed : toReference(subject.kind, subjectRecord),
          ...(kind && { kind: kind.name }),
        },
      }
    },
  })
}

/** Returns the text of a step that names no record: "Read the history" for "Read the history of {subject}". */
const withoutSubject = (step: string): string => step.replace(/( on| of)? \{subject\}/, '')

const pickParameters = (values: Readonly<Record<string, unknown>>, shape: object): Record<string, unknown> =>
  Object.fromEntries(Object.keys(shape).flatMap((field) => (values[field] === undefined ? [] : [[field, toParameter(values[field])]])))

/** Returns the record about which a call reads, from a path such as `/api/files/{id}/text`, a link, or a field such as `contact_id`. */
function findSubject(
  toolKinds: readonly ToolKind[],
  { path }: Route,
  { id, record, ...fields }: Readonly<Record<string, unknown>>,
): { kind: ToolKind; id: string } | undefined {
  const ofPath = toolKinds.find(({ recordKind }) => path.startsWith(`/api/${recordKind.plural}/{id}`))
  if (ofPath && typeof id === 'string') return { kind: ofPath, id: idOf(id) }
  if (typeof record === 'string' && record.startsWith('foyer:')) return parseRecordLink(toolKinds, record)
  for (const kind of toolKinds) {
    const linked = fields[`${kind.name}_id`]
    if (typeof linked === 'string') return { kind, id: idOf(linked) }
  }
  return undefined
}

const toTitle = ({ path }: Route): { name: string; step: string } => {
  const words = path
    .replace('/api/', '')
    .replaceAll(/\{\w+\}\/?/g, '')
    .split(/\W+/)
    .filter(Boolean)
  return { name: words.join('_'), step: `Looked up ${words.join(' ').replaceAll('_', ' ')}` }
}

/** Returns the fields of the input: those of the route without `limit`. Fields with a default may be omitted. */
const toInputShape = (shape: ReturnType<typeof shapeOf>): Record<string, z.core.$ZodType> =>
  Object.fromEntries(Object.entries(shape).flatMap(([field, schema]) => (field === 'limit' ? [] : [[field, toInputSchema(field, schema)]])))

/** Ids and searches are checked by the route. Links of records are accepted as ids. A filter is a list and becomes a parameter later. */
function toInputSchema(field: string, schema: z.core.$ZodType): z.core.$ZodType {
  const isOptional = schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniDefault
  if (!/^id$|_id$|^record$|^filter$|^search$/.test(field)) return schema
  const input = field === 'filter' ? z.array(z.looseObject({ field: z.string() })) : z.string()
  return isOptional ? z.optional(input) : input
}

const toParameter = (value: unknown): unknown => {
  if (typeof value === 'string') return idOf(value)
  return typeof value === 'object' ? JSON.stringify(value) : value
}

/** The position from which a long text is read. */
const textPosition = { text_from: z.optional(z.int().check(z.gte(0))) }
const hasText = ({ out }: Route): boolean => 'text' in shapeOf(out)

/** Returns the value with a part of its `text`, and the position of the next part. */
function cutText(value: unknown, from: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('text' in value) || typeof value.text !== 'string') return value
  const { text } = value
  const start = typeof from === 'number' ? from : 0
  const limit = start + textLimits.record
  const end = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? limit - 1 : limit // not between the halves of a surrogate pair
  return { ...(text.length > end && { next_text_from: end }), ...value, text: text.slice(start, end).toWellFormed() }
}

const hasRows = (value: unknown): value is { rows: unknown[] } =>
  typeof value === 'object' && value !== null && 'rows' in value && Array.isArray(value.rows)

const Listed = z.object({
  rows: z.optional(z.array(z.looseObject({}))),
  hits: z.optional(z.array(z.looseObject({ kind: z.string(), id: z.string(), title: z.string() }))),
})

/** Returns the records of a result that the user can open. */
function listReferences(toolKinds: readonly ToolKind[], kind: ToolKind | undefined, result: unknown): Reference[] {
  const { rows = [], hits = [] } = Listed.safeParse(result).data ?? {}
  const ofKind = kind ? rows.flatMap((row) => toReference(kind, row)) : []
  const ofHits = hits.flatMap(({ kind: name, id, title }) => {
    const found = toolKinds.find((each) => each.name === name)
    return found ? [{ kind: found.name, id, title }] : []
  })
  return [...ofKind, ...ofHits].slice(0, maxRows)
}
