// Proposals: the changes that the assistant suggests, which are made when the user confirms them.
import { proposalRoutes, type Proposal, type ProposalItem } from '#contract/proposals.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { mount, type Router } from '#server/platform/http/mount.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { ToolState } from '../tools/tool-state.ts'
import { applyProposal } from './apply.ts'
import { closeProposal, findProposal, insertProposal, lockAllowedChanges } from './proposals.store.ts'

/** Adds the routes of proposals. */
export function mountProposals(router: Router, context: AppContext): void {
  const { database, now } = context
  const read = (caller: Caller, id: string): Promise<Proposal> =>
    database.read(caller, async () => {
      const proposal = await findProposal(caller.owner, id)
      if (!proposal) throw new Refusal('not_found')
      return proposal
    })
  mount(router, proposalRoutes, {
    get: ({ caller, params }) => read(caller, params.id),
    apply: ({ caller, params, body }) => applyProposal({ context, router }, caller, params.id, body.items),
    discard: async ({ caller, params }) => {
      const discarded = await database.transaction(caller, 'Discarded a proposal', () =>
        closeProposal(caller.owner, params.id, 'discarded', now()),
      )
      if (discarded) return discarded
      await read(caller, params.id)
      throw new Refusal('proposal_closed')
    },
  })
}

/**
 * Stores the changes of an answer as a proposal, after the answer has ended. Returns the id of the proposal; null if there are no changes,
 * or if the answer was deleted or replaced. With `mayApply`, which is for complete answers, it also applies the changes if the owner has
 * allowed all of them.
 */
export async function saveProposal(
  context: AppContext,
  router: Router,
  caller: Caller,
  toolState: ToolState,
  { mayApply }: { mayApply: boolean },
): Promise<string | null> {
  const { items } = toolState
  if (items.length === 0) return null
  const id = await context.database.transaction(caller, 'Proposed changes', () => insertProposal(caller.owner, toolState))
  if (id === undefined) return null
  if (mayApply && needsNoConfirmation(toolState)) {
    const ticked = items.map(({ key }) => ({ key }))
    // the owner may have changed the allowed changes while the answer was written
    const check = async (): Promise<void> => {
      const allowedChanges = await lockAllowedChanges(caller.owner, toolState)
      if (!needsNoConfirmation({ ...toolState, allowedChanges })) throw new Refusal('conflict')
    }
    await applyProposal({ context, router }, caller, id, ticked, check).catch(keepOpen)
  }
  return id
}

/** Whether the owner has allowed every change of the answer, and the model has read no text of other people. */
const needsNoConfirmation = ({ items, allowedChanges, hasUntrustedText }: ToolState): boolean =>
  !hasUntrustedText && items.every(({ action, kind }: ProposalItem) => action !== 'delete' && allowedChanges.includes(`${action} ${kind}`))

/** A change that is not possible, such as a duplicate, stays in the proposal, where the user sees why. */
function keepOpen(error: unknown): void {
  if (!(error instanceof Refusal)) throw error
}
