// The tools that propose changes. They change nothing: each adds items to the proposal of the answer, which the user confirms or refuses.
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import { maxProposalItems, type ProposalItem } from '#contract/proposals.ts'
import { Tags } from '#contract/fields.ts'
import { formatCount } from '#server/platform/records/bulk.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { getKind, namesOfKindsWithRoute, type ToolKind } from './kinds.ts'
import { readLinkTitles } from './link-titles.ts'
import { checkProposedFields, newKeyOf, toNewLink } from './proposed-fields.ts'
import { addItem, getNewRecord, removeNewRecord } from './proposed-items.ts'
import { criteriaFields } from './read-records.ts'
import { titleOf, type FullRecord } from './records.ts'
import { linkOf } from './results.ts'
import { pickFields, readSelectedRecords } from './selected-records.ts'
import { defineTool, type ToolCall, type ToolContext, type ToolResult, type UnboundTool } from './tool.ts'

const fieldValues = z.record(z.string(), z.unknown())
const selection = {
  records: z.optional(z.array(z.string()).check(z.minLength(1), z.maxLength(maxProposalItems))),
  matching: z.optional(z.strictObject(criteriaFields)),
}

/** Returns the tools that propose changes of records. */
export const createProposingTools = (toolContext: ToolContext): UnboundTool[] => [
  createCreateTool(toolContext),
  createUpdateTool(toolContext),
  createDeleteTool(toolContext),
  createTagTool(toolContext),
]

const selectionText = `Select with records (links, or ${toNewLink('<key>')} of a proposed record) or with matching (search and filter as in find; at most ${maxProposalItems} records).`

function createCreateTool(toolContext: ToolContext): UnboundTool {
  const { toolKinds } = toolContext
  return defineTool({
    name: 'propose_create',
    description: `Proposes new records. The description of the tool find lists the fields of each kind. Returns the key of each; later changes may link to it as ${toNewLink('<key>')}.`,
    inputSchema: z.strictObject({
      kind: z.enum(namesOfKindsWithRoute(toolKinds, 'create')),
      records: z.array(fieldValues).check(z.minLength(1), z.maxLength(maxProposalItems)),
    }),
    failedText: ({ kind }) => `Could not propose to add ${getKind(toolKinds, kind).recordKind.plural}`,
    run: async ({ kind: name, records }, call) => {
      const kind = getKind(toolKinds, name)
      const checked = records.map((fields) => checkProposedFields(kind, 'create', fields, call.toolState.items))
      const titles = await readLinkTitles(toolContext, call, kind, checked)
      const items = checked.map((fields) =>
        addItem(call.toolState, {
          action: 'create',
          kind: kind.name,
          id: null,
          version: null,
          title: titleOf(kind, fields),
          fields,
          before: {},
          link_titles: titles,
        }),
      )
      return toResult(kind, 'add', items)
    },
  })
}

function createUpdateTool(toolContext: ToolContext): UnboundTool {
  const { toolKinds } = toolContext
  return defineTool({
    name: 'propose_update',
    description: `Proposes the same new values of fields for one or many records of a kind. ${selectionText}`,
    inputSchema: z.strictObject({ kind: z.enum(namesOfKindsWithRoute(toolKinds, 'update')), ...selection, fields: fieldValues }),
    failedText: ({ kind }) => `Could not propose to change ${getKind(toolKinds, kind).recordKind.plural}`,
    run: async ({ kind: name, fields, ...selected }, call) => {
      const kind = getKind(toolKinds, name)
      const newItems: ProposalItem[] = []
      // one after the other: if one were refused, another one could still change its item after `defineTool` has restored the items
      for (const key of newKeysOf(selected.records)) newItems.push(await updateNewRecord(toolContext, call, kind, { key, fields }))
      const found = await readSelectedRecords(toolContext, kind, withoutNewRecords(selected), call)
      if (found.length === 0) return toResult(kind, 'change', newItems)
      const checked = checkProposedFields(kind, 'update', fields, call.toolState.items)
      // a value that an earlier call has proposed can be replaced by the value that the record has
      const isProposed = ({ id }: FullRecord): boolean =>
        call.toolState.items.some((item) => item.action === 'update' && item.kind === kind.name && item.id === id)
      const changed = found.filter((record) => isProposed(record) || !isDeepStrictEqual(pickFields(record, checked), checked))
      const titles = await readLinkTitles(toolContext, call, kind, [checked, ...changed.map((record) => pickFields(record, checked))])
      const items = changed.map((record) =>
        addItem(call.toolState, {
          ...toItem(kind, record),
          action: 'update',
          fields: checked,
          before: pickFields(record, checked),
          link_titles: titles,
        }),
      )
      return toResult(kind, 'change', [...newItems, ...items], { unchanged: found.length - changed.length })
    },
  })
}

function createDeleteTool(toolContext: ToolContext): UnboundTool {
  const { toolKinds } = toolContext
  return defineTool({
    name: 'propose_delete',
    description: `Proposes to delete records of a kind; they stay in the trash for 30 days. ${selectionText}`,
    inputSchema: z.strictObject({ kind: z.enum(namesOfKindsWithRoute(toolKinds, 'delete')), ...selection }),
    failedText: ({ kind }) => `Could not propose to delete ${getKind(toolKinds, kind).recordKind.plural}`,
    run: async ({ kind: name, ...selected }, call) => {
      const kind = getKind(toolKinds, name)
      const newKeys = newKeysOf(selected.records)
      for (const key of newKeys) removeNewRecord(call.toolState, getNewRecord(call.toolState, kind.name, key), toNewLink(key))
      const found = await readSelectedRecords(toolContext, kind, withoutNewRecords(selected), call)
      const items = found.map((record) =>
        addItem(call.toolState, {
          ...toItem(kind, record),
          action: 'delete',
          fields: {},
          before: pickFields(record, kind.recordKind.defaults),
          link_titles: {},
        }),
      )
      return toResult(kind, 'delete', items, { removed: newKeys.length })
    },
  })
}

function createTagTool(toolContext: ToolContext): UnboundTool {
  const { toolKinds } = toolContext
  return defineTool({
    name: 'propose_tag',
    description: `Proposes to add and remove tags of records of a kind. ${selectionText}`,
    inputSchema: z.strictObject({
      kind: z.enum(namesOfKindsWithRoute(toolKinds, 'tag')),
      ...selection,
      add: z.optional(Tags),
      remove: z.optional(Tags),
    }),
    failedText: ({ kind }) => `Could not propose to tag ${getKind(toolKinds, kind).recordKind.plural}`,
    run: async ({ kind: name, add = [], remove = [], ...selected }, call) => {
      const kind = getKind(toolKinds, name)
      if (add.length + remove.length === 0) throw new Refusal('invalid', { fields: { add: 'Enter a tag to add or to remove' } })
      if (newKeysOf(selected.records).length > 0)
        throw new Refusal('invalid', { fields: { records: 'Change the field tags of a proposed record with propose_update' } })
      const found = await readSelectedRecords(toolContext, kind, selected, call)
      const items = found.map((record) =>
        addItem(call.toolState, {
          ...toItem(kind, record),
          action: 'tag',
          fields: { add, remove },
          before: { tags: record['tags'] },
          link_titles: {},
        }),
      )
      return toResult(kind, 'tag', items)
    },
  })
}

const newKeysOf = (records: readonly string[] = []): string[] => [...new Set(records.flatMap((record) => newKeyOf(record) ?? []))]

function withoutNewRecords<Selected extends { records?: string[] | undefined }>(selected: Selected): Selected {
  return { ...selected, ...(selected.records && { records: selected.records.filter((record) => newKeyOf(record) === undefined) }) }
}

/** Changes the fields of a new record of the proposal. */
async function updateNewRecord(
  toolContext: ToolContext,
  call: ToolCall,
  kind: ToolKind,
  { key, fields }: { key: string; fields: Record<string, unknown> },
): Promise<ProposalItem> {
  const item = getNewRecord(call.toolState, kind.name, key)
  const others = call.toolState.items.filter((each) => each !== item)
  const merged = checkProposedFields(kind, 'create', { ...item.fields, ...fields }, others)
  const titles = await readLinkTitles(toolContext, call, kind, [merged])
  const title = titleOf(kind, merged)
  const link = toNewLink(key)
  for (const { link_titles: shownTitles } of call.toolState.items) if (link in shownTitles) shownTitles[link] = title
  return Object.assign(item, { fields: merged, title, link_titles: titles })
}

const toItem = (kind: ToolKind, record: FullRecord) => ({
  kind: kind.name,
  id: record.id,
  version: record.version,
  title: titleOf(kind, record),
})

/** Returns the result for the model, and the step. `removed`: the number of new records that the call took out of the proposal. */
function toResult(kind: ToolKind, verb: string, items: readonly ProposalItem[], { unchanged = 0, removed = 0 } = {}): ToolResult {
  return {
    result: {
      proposed: items.length,
      ...(unchanged > 0 && { unchanged }),
      ...(removed > 0 && { removed }),
      changes: items.slice(0, 20).map(({ key, id }) => (id === null ? { key: toNewLink(key) } : { link: linkOf(kind.name, id) })),
      note: noteFor({ proposed: items.length, unchanged, removed }),
    },
    step: {
      text: describeStep(kind, verb, { proposed: items.length, unchanged, removed }),
      kind: kind.name,
      records: items.slice(0, 20).flatMap(({ id, title }) => (id === null ? [] : [{ kind: kind.name, id, title }])),
    },
  }
}

const notDoneNote =
  'Not done yet: the user sees these changes and confirms or refuses them. Do not repeat this call, and do not say that it was done.'
const unchangedNote = 'Nothing was proposed: the records have these values already.'
const noRecordNote = 'Nothing was proposed: no record matches.'
const removedNote = 'The removed records are not in the proposal any more, so the user will not see them.'

type Counts = { proposed: number; unchanged: number; removed: number }

function noteFor({ proposed, unchanged, removed }: Counts): string {
  if (proposed + removed === 0) return unchanged > 0 ? unchangedNote : noRecordNote
  if (removed === 0) return notDoneNote
  return proposed === 0 ? removedNote : `${notDoneNote} ${removedNote}`
}

function describeStep({ recordKind }: ToolKind, verb: string, { proposed, unchanged, removed }: Counts): string {
  if (proposed + removed === 0)
    return unchanged > 0 ? `Found nothing to ${verb} in ${formatCount(recordKind, unchanged)}` : `Found no ${recordKind.plural} to ${verb}`
  const text = `Proposed to ${verb} ${formatCount(recordKind, proposed)}`
  if (removed === 0) return text
  const removedText = formatCount({ singular: `proposed ${recordKind.singular}`, plural: `proposed ${recordKind.plural}` }, removed)
  return proposed === 0 ? `Removed ${removedText}` : `${text} · removed ${removedText}`
}
