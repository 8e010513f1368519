// The changes that the tools of one answer propose. There is at most one item of each action for a record.
import { maxProposalItems, type ProposalItem } from '#contract/proposals.ts'
import { joinTags } from '#contract/tags.ts'
import { refuseUnstorable } from '#server/platform/http/body.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { ToolState } from './tool-state.ts'

/** A change without the parts that all items get when they are added. */
export type NewItem = Omit<ProposalItem, 'key' | 'decision'>

/** Adds a change, or merges it with an earlier change of the same record. Returns the item. Throws `invalid` and `too_many`. */
export function addItem(toolState: ToolState, item: NewItem): ProposalItem {
  refuseUnstorable(item.fields, '')
  const sameRecord = toolState.items.filter(({ kind, id }) => item.id !== null && kind === item.kind && id === item.id)
  if (item.action === 'delete') toolState.items = toolState.items.filter((each) => !sameRecord.includes(each) || each.action === 'delete')
  else if (sameRecord.some(({ action }) => action === 'delete')) throw refuseRecord('This record is proposed to be deleted already')
  const earlier = sameRecord.find(({ action }) => action === item.action)
  if (earlier) return Object.assign(earlier, mergeItems(earlier, item))
  if (toolState.items.length >= maxProposalItems) throw new Refusal('too_many')
  const added: ProposalItem = { ...item, key: nextKey(toolState), decision: 'open' }
  toolState.items.push(added)
  return added
}

/** Returns the new record of this kind that the answer proposes under this key. Throws `invalid`. */
export function getNewRecord({ items }: ToolState, kind: string, key: string): ProposalItem {
  const item = items.find((each) => each.action === 'create' && each.kind === kind && each.key === key)
  if (!item) throw refuseRecord(`There is no proposed ${kind} with this key`)
  return item
}

/** Removes a new record from the proposal. `link`: the value of a field that links to it. Throws `invalid` if a change has this link. */
export function removeNewRecord(toolState: ToolState, item: ProposalItem, link: string): void {
  const isLinked = toolState.items.some(({ fields }) => Object.values(fields).includes(link))
  if (isLinked) throw refuseRecord('Another proposed change links to this new record')
  toolState.items = toolState.items.filter((each) => each !== item)
}

const refuseRecord = (message: string): Refusal => new Refusal('invalid', { fields: { records: message } })

/** Keys are short, because the model repeats them in links to new records. */
const nextKey = ({ items }: ToolState): string => `c${Math.max(0, ...items.map(({ key }) => Number(key.slice(1)))) + 1}`

function mergeItems(earlier: ProposalItem, item: NewItem): Partial<ProposalItem> {
  const fields = item.action === 'tag' ? mergeTags(earlier.fields, item.fields) : { ...earlier.fields, ...item.fields }
  return { fields, before: { ...item.before, ...earlier.before }, link_titles: { ...earlier.link_titles, ...item.link_titles } }
}

/** If two calls name the same tag, the later call decides. Upper and lower case are equal. */
function mergeTags(earlier: ProposalItem['fields'], later: ProposalItem['fields']): { add: string[]; remove: string[] } {
  const [add, remove] = [listOf(later['add']), listOf(later['remove'])]
  return {
    add: joinTags(withoutTags(listOf(earlier['add']), remove), add),
    remove: joinTags(withoutTags(listOf(earlier['remove']), add), remove),
  }
}

function withoutTags(tags: readonly string[], others: readonly string[]): string[] {
  const removed = new Set(others.map((tag) => tag.toLowerCase()))
  return tags.filter((tag) => !removed.has(tag.toLowerCase()))
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [])
