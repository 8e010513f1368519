import { Refusal } from '#server/platform/refusal.ts'
import { linkFields, type ToolKind } from './kinds.ts'
import { newKeyOf } from './proposed-fields.ts'
import { getNewRecord } from './proposed-items.ts'
import { readRecord, titleOf } from './records.ts'
import { readerOf, type ToolCall, type ToolContext } from './tool.ts'

/**
 * Returns the titles of the records to which the link fields refer, by id or by `new:` and key. Throws `not_found` with the field for a
 * link to a missing record.
 */
export async function readLinkTitles(
  { router, toolKinds, context }: ToolContext,
  call: ToolCall,
  { recordKind }: ToolKind,
  values: readonly Readonly<Record<string, unknown>>[],
): Promise<Record<string, string>> {
  const caller = readerOf(call)
  const links = [...linkFields(recordKind)].flatMap(([field, to]) =>
    [...new Set(values.map((each) => each[field]))].flatMap((id) => (typeof id === 'string' ? [{ field, to, id }] : [])),
  )
  const readTitle = async ({ field, to, id }: (typeof links)[number]): Promise<[string, string]> => {
    const key = newKeyOf(id)
    if (key !== undefined) return [id, getNewRecord(call.toolState, to, key).title]
    const linkedKind = toolKinds.find(({ name }) => name === to)
    if (!linkedKind) return [id, '']
    const record = await readRecord(router, caller, linkedKind, id).catch((error: unknown) => {
      throw error instanceof Refusal ? new Refusal('not_found', { fields: { [field]: `There is no ${to} with this id` } }, error) : error
    })
    return [id, titleOf(linkedKind, record)]
  }
  return Object.fromEntries(await context.database.read(caller, () => Promise.all(links.map(readTitle))))
}
