// The tools that find, count, sum and read records of every kind.
import * as z from 'zod/mini'
import type { Step } from '#contract/assistant.ts'
import { Condition } from '#contract/lists.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { callRoute } from '#server/platform/http/call-route.ts'
import { describeKinds } from './describe.ts'
import { getKind, namesOfKindsWithRoute, type ToolKind } from './kinds.ts'
import { idOf, parseRecordLink, readRecord, requireRoute, titleOf, toReference } from './records.ts'
import { fitRows, listLinkOf, maxRows, textLimits, toModelValue } from './results.ts'
import { defineTool, readerOf, type ToolContext, type UnboundTool } from './tool.ts'

const Rows = z.object({ rows: z.array(z.looseObject({})), next: z.optional(z.nullable(z.string())) })
const Count = z.object({ count: z.int(), more: z.boolean() })

/** A search and a filter, as in the lists. */
export const criteriaFields = {
  search: z.optional(z.string().check(z.maxLength(200))),
  filter: z.optional(z.array(Condition)),
}
export type CriteriaInput = { search?: string | undefined; filter?: Condition[] | undefined }

/** Returns the query of a list route. */
export const toQuery = ({ search = '', filter = [] }: CriteriaInput) => ({ search, filter: JSON.stringify(toIds(filter)) })

/** The model may send links of records, as it has read them, in place of ids. */
const toIds = (filter: readonly Condition[]): Condition[] =>
  filter.map((condition) => ({ ...condition, ...(condition.is && { is: condition.is.map(idOf) }) }))

/** Returns the tools that read records of the kinds. */
export const createRecordTools = (toolContext: ToolContext): UnboundTool[] => [
  createFindTool(toolContext),
  createCountTool(toolContext),
  createSumTool(toolContext),
  createReadTool(toolContext),
  createTagsTool(toolContext),
]

function createFindTool(toolContext: ToolContext): UnboundTool {
  const { toolKinds, router, context } = toolContext
  return defineTool({
    name: 'find',
    description: `Finds records of a kind, at most ${maxRows} at once, and says how many match. search finds words in all texts of a record. Each condition of filter has a field and one of: has (text contains), is (list of values; for dates also overdue, today, upcoming; for links ids), from and to (numbers, or days as YYYY-MM-DD), empty (true or false). Kinds with their fields (* required):\n${describeKinds(toolKinds)}`,
    inputSchema: z.strictObject({
      kind: z.enum(namesOfKindsWithRoute(toolKinds, 'list')),
      ...criteriaFields,
      sort: z.optional(z.string()),
      order: z.optional(z.enum(['asc', 'desc'])),
      limit: z.optional(z.int().check(z.gte(1), z.lte(maxRows))),
      after: z.optional(z.string()),
    }),
    failedText: ({ kind }) => `Searched ${pluralOf(toolKinds, kind)}`,
    run: async ({ kind: name, search, filter, limit = maxRows, ...page }, call) => {
      const kind = getKind(toolKinds, name)
      const criteria = { search, filter }
      const reader = readerOf(call)
      const query = { ...page, ...toQuery(criteria), limit }
      const [found, total] = await context.database.read(reader, () =>
        Promise.all([
          callRoute(router, requireRoute(kind.routes.list), reader, { query }),
          countRecords(toolContext, kind, reader, criteria),
        ]),
      )
      const { rows, next } = Rows.parse(found)
      const options = { toolState: call.toolState, maxTextCharacters: textLimits.list, kind: kind.name }
      return {
        result: fitRows({
          found: formatTotal(total),
          list: toListLink(kind, criteria),
          rows: rows.map((row) => toModelValue(row, options)),
          ...(next && { next }),
        }),
        step: {
          text: `Searched ${kind.recordKind.plural} · ${formatTotal(total)} found`,
          count: total.count,
          ...toStepList(kind, criteria),
          records: rows.flatMap((row) => toReference(kind, row)),
        },
      }
    },
  })
}

function createCountTool(toolContext: ToolContext): UnboundTool {
  const { toolKinds } = toolContext
  return defineTool({
    name: 'count',
    description: 'Counts the records of a kind that match a search and a filter, as in find. Counts up to 1,000.',
    inputSchema: z.strictObject({ kind: z.enum(namesOfKindsWithRoute(toolKinds, 'count')), ...criteriaFields }),
    failedText: ({ kind }) => `Counted ${pluralOf(toolKinds, kind)}`,
    run: async ({ kind: name, ...criteria }, call) => {
      const kind = getKind(toolKinds, name)
      const total = await countRecords(toolContext, kind, readerOf(call), criteria)
      return {
        result: { count: formatTotal(total), list: toListLink(kind, criteria) },
        step: { text: `Counted ${kind.recordKind.plural} · ${formatTotal(total)}`, count: total.count, ...toStepList(kind, criteria) },
      }
    },
  })
}

function createSumTool({ toolKinds, router }: ToolContext): UnboundTool {
  return defineTool({
    name: 'sum',
    description:
      'Sum, average, smallest and largest value of a number field of all records of a kind that match a search and a filter, as in find. group_by: a field with choices.',
    inputSchema: z.strictObject({
      kind: z.enum(namesOfKindsWithRoute(toolKinds, 'sum')),
      field: z.string(),
      group_by: z.optional(z.string()),
      ...criteriaFields,
    }),
    failedText: ({ kind }) => `Added up ${pluralOf(toolKinds, kind)}`,
    run: async ({ kind: name, field, group_by: groupBy, ...criteria }, call) => {
      const kind = getKind(toolKinds, name)
      const query = { ...toQuery(criteria), field, group_by: groupBy }
      const { rows } = Rows.parse(await callRoute(router, requireRoute(kind.routes.sum), readerOf(call), { query }))
      return {
        result: { list: toListLink(kind, criteria), rows },
        step: { text: `Added up the ${field.replaceAll('_', ' ')} of ${kind.recordKind.plural}`, ...toStepList(kind, criteria) },
      }
    },
  })
}

function createReadTool({ toolKinds, router }: ToolContext): UnboundTool {
  return defineTool({
    name: 'read',
    description: 'Reads all fields of one record. record is its link, such as foyer:deal/<id>.',
    inputSchema: z.strictObject({ record: z.string() }),
    failedText: () => 'Read a record',
    run: async ({ record }, call) => {
      const { kind, id } = parseRecordLink(toolKinds, record)
      const found = await readRecord(router, readerOf(call), kind, id)
      return {
        result: toModelValue(found, { toolState: call.toolState, maxTextCharacters: textLimits.record, kind: kind.name }),
        step: { text: `Read the ${kind.name} ${titleOf(kind, found)}`, kind: kind.name, records: toReference(kind, found) },
      }
    },
  })
}

function createTagsTool({ toolKinds, router }: ToolContext): UnboundTool {
  return defineTool({
    name: 'tags',
    description: 'The tags of all records of a kind, the most used first.',
    inputSchema: z.strictObject({ kind: z.enum(namesOfKindsWithRoute(toolKinds, 'tags')) }),
    failedText: ({ kind }) => `Read the tags of ${pluralOf(toolKinds, kind)}`,
    run: async ({ kind: name }, call) => {
      const { recordKind, routes } = getKind(toolKinds, name)
      const result = await callRoute(router, requireRoute(routes.tags), readerOf(call), {})
      const options = { toolState: call.toolState, maxTextCharacters: textLimits.list }
      return { result: toModelValue(result, options), step: { text: `Read the tags of ${recordKind.plural}` } }
    },
  })
}

const pluralOf = (toolKinds: readonly ToolKind[], name: string): string => getKind(toolKinds, name).recordKind.plural

async function countRecords({ router }: ToolContext, { routes }: ToolKind, reader: Caller, criteria: CriteriaInput) {
  return Count.parse(await callRoute(router, requireRoute(routes.count), reader, { query: toQuery(criteria) }))
}

/** Returns a text such as "14" or "1,000+". */
const formatTotal = ({ count, more }: z.infer<typeof Count>): string => count.toLocaleString('en') + (more ? '+' : '')

const toListLink = ({ name }: ToolKind, { search = '', filter = [] }: CriteriaInput): string => listLinkOf(name, search, toIds(filter))

const toStepList = ({ name }: ToolKind, { search = '', filter = [] }: CriteriaInput): Pick<Step, 'kind' | 'list'> => ({
  kind: name,
  list: { kind: name, search, filter: toIds(filter) },
})
