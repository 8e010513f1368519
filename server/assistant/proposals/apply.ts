// Applies a proposal without the model, as one change of the actor `assistant`: completely or not at all, and only once.
import { formatActor } from '#contract/actors.ts'
import type { Proposal, ProposalItem } from '#contract/proposals.ts'
import { savepoint, type Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { relabel } from '#server/platform/journal/label.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { createToolKinds, getKind } from '../tools/kinds.ts'
import { newKeyOf } from '../tools/proposed-fields.ts'
import { titleOf } from '../tools/records.ts'
import { applyItem, type TickedItem } from './apply-item.ts'
import { joinRefusals, refuseItem, type ItemRefusal } from './item-refusals.ts'
import { closeProposal, findProposal, storeOutcome } from './proposals.store.ts'
import type { ProposalServices } from './services.ts'

/** The maximum number of changes of a small transaction. Larger ones use the queue of large transactions. */
const maxSmallItems = 50

/** Runs work that makes `count` changes of records in one transaction, which is a large one if there are many. */
export const writeItems = <T>(
  database: Database,
  caller: Caller,
  { label, count }: { label: string; count: number },
  work: () => Promise<T>,
): Promise<T> =>
  count > maxSmallItems ? database.longTransaction(caller, label, 'large', work) : database.transaction(caller, label, work)

/**
 * Makes the ticked changes and closes the proposal. Throws `proposal_closed` if it is not open any more, and the refusals of all changes
 * that are not possible; nothing is then changed. `check` runs first in the transaction, and may throw a refusal too.
 */
export function applyProposal(
  services: ProposalServices,
  caller: Caller,
  id: string,
  ticked: readonly TickedItem[],
  check?: () => Promise<void>,
): Promise<Proposal> {
  const { database } = services.context
  const assistant: Caller = { ...caller, actor: formatActor('assistant') }
  const label = `Applied ${ticked.length} ${ticked.length === 1 ? 'change' : 'changes'} of the assistant`
  const work = async (): Promise<Proposal> => {
    await check?.()
    const proposal = await closeAsApplied(services, assistant, id)
    const items = await applyItems(services, assistant, proposal.items, ticked)
    await relabel(label) // the changes of records have labels of their own
    const applied = await storeOutcome(assistant.owner, id, items)
    if (!applied) throw new Refusal('not_found')
    return applied
  }
  return writeItems(database, assistant, { label, count: ticked.length }, work)
}

async function closeAsApplied({ context }: ProposalServices, { owner }: Caller, id: string): Promise<Proposal> {
  const proposal = await closeProposal(owner, id, 'applied', context.now())
  if (proposal) return proposal
  throw new Refusal((await findProposal(owner, id)) ? 'proposal_closed' : 'not_found')
}

/** Makes the ticked changes in the open transaction. Returns all items with their decisions. Throws the refusals. */
export async function applyItems(
  services: ProposalServices,
  caller: Caller,
  items: readonly ProposalItem[],
  ticked: readonly TickedItem[],
): Promise<ProposalItem[]> {
  const toolKinds = createToolKinds(services.context.kinds)
  const applied = new Map<string, ProposalItem>()
  const refusals: ItemRefusal[] = []
  for (const { item, edit } of sortByLinks(matchItems(items, ticked))) {
    const kind = getKind(toolKinds, item.kind)
    try {
      const { id, fields } = await savepoint(() => applyItem(services, caller, { kind, item, edit, applied: [...applied.values()] }))
      const title = item.action === 'create' ? titleOf(kind, fields) : item.title
      applied.set(item.key, { ...item, id, title, fields, decision: 'done' })
    } catch (error) {
      refusals.push(refuseItem(item, error))
    }
  }
  if (refusals.length > 0) throw joinRefusals(refusals)
  return items.map((item) => applied.get(item.key) ?? { ...item, decision: 'left_out' })
}

type TickedChange = { item: ProposalItem; edit: TickedItem }

/** Returns the ticked items of the proposal. Throws `invalid` for an unknown key and for a key that is sent twice. */
function matchItems(items: readonly ProposalItem[], ticked: readonly TickedItem[]): TickedChange[] {
  const seen = new Set<string>()
  return ticked.map((edit) => {
    const item = items.find(({ key }) => key === edit.key)
    if (!item || seen.has(edit.key))
      throw new Refusal('invalid', { fields: { [`items.${edit.key}`]: 'This change is not in the proposal' } })
    seen.add(edit.key)
    return { item, edit }
  })
}

/** Puts new records before the changes that link to them. */
function sortByLinks(changes: readonly TickedChange[]): TickedChange[] {
  const sorted: TickedChange[] = []
  const waiting = [...changes]
  while (waiting.length > 0) {
    const isReady = ({ item, edit }: TickedChange): boolean =>
      Object.values(edit.fields ?? item.fields).every(
        (value) => !waiting.some((other) => other.item !== item && other.item.key === newKeyOf(value)),
      )
    const next = waiting.findIndex(isReady)
    sorted.push(...waiting.splice(Math.max(0, next), 1)) // changes that link to each other are refused when they are applied
  }
  return sorted
}
