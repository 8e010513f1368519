// The tools of other programs, which work with the scopes of an API key. They are the assistant's tools, except that changes are made at once.
import * as z from 'zod/mini'
import type { Scope } from '#contract/actors.ts'
import { changeRoutes } from '#contract/changes.ts'
import { leadRoutes } from '#contract/leads.ts'
import { maxProposalItems, type ProposalItem } from '#contract/proposals.ts'
import { scopesOf, type Route } from '#contract/route.ts'
import type { Caller, WriteRequest } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { callRoute } from '#server/platform/http/call-route.ts'
import type { Router } from '#server/platform/http/mount.ts'
import type { Tool } from '#server/platform/ai/types.ts'
import { relabel } from '#server/platform/journal/label.ts'
import { formatCountLabel } from '#server/platform/records/bulk.ts'
import { applyItems, writeItems } from '../proposals/apply.ts'
import { createToolKinds, getKind, shapeOf } from './kinds.ts'
import { linkOf } from './results.ts'
import { describeFailure } from './tool.ts'
import { createReadingTools, createTools } from './tools.ts'
import { createToolState, type ToolState } from './tool-state.ts'

/** A tool that changes nothing, or makes a change that can be undone. */
export type DirectTool = Tool & { isReading: boolean }

const selectionText = `Select with records (links or ids) or with matching (search and filter as in find; at most ${maxProposalItems} records).`

/**
 * The tools that make changes at once. `proposing`: the tool of the assistant that only proposes the same changes. `done`: the first word
 * of the label of the change. A tool that changes records reads them first, and so needs the scope `read` too.
 */
const writingTools: readonly { proposing: string; scopes: readonly Scope[]; name: string; done: string; description: string }[] = [
  {
    proposing: 'propose_create',
    scopes: ['write'],
    name: 'create',
    done: 'Added',
    description: 'Adds records of a kind. The description of the tool find lists the fields of each kind.',
  },
  {
    proposing: 'propose_update',
    scopes: ['read', 'write'],
    name: 'update',
    done: 'Changed',
    description: `Sets the same new values of fields for one or many records of a kind. ${selectionText}`,
  },
  {
    proposing: 'propose_delete',
    scopes: ['read', 'write'],
    name: 'delete',
    done: 'Deleted',
    description: `Deletes records of a kind; they stay in the trash for 30 days. ${selectionText}`,
  },
  {
    proposing: 'propose_tag',
    scopes: ['read', 'write'],
    name: 'tag',
    done: 'Tagged',
    description: `Adds and removes tags of records of a kind. ${selectionText}`,
  },
]

/** Tools of single routes of the contract. */
const routeTools: readonly { name: string; route: Route; description: string }[] = [
  { name: 'undo', route: changeRoutes.undo, description: 'Undoes a change, by the id that the tool that made it has returned.' },
  { name: 'restore', route: changeRoutes.restore, description: 'Restores a deleted record from the trash.' },
  { name: 'send_lead', route: leadRoutes.send, description: leadRoutes.send.summary },
]

/** Returns the tools that the caller's scopes allow. Each call that changes something is a change of its own. */
export function createDirectTools(context: AppContext, router: Router, caller: Caller): DirectTool[] {
  const isAllowed = (scope: Scope): boolean => caller.scopes.includes(scope)
  const reading = isAllowed('read') ? createReadingTools(context, router, caller, newToolState()) : []
  const writing = writingTools
    .filter(({ scopes }) => scopes.every(isAllowed))
    .map((tool) => createWritingTool(context, router, caller, tool))
  const ofRoutes = routeTools.filter(({ route }) => scopesOf(route).some(isAllowed)).map((tool) => createRouteTool(router, caller, tool))
  return [...reading.map((tool) => ({ ...tool, isReading: true })), ...writing, ...ofRoutes]
}

/** The tools of an answer share a state; here each call that writes has a state of its own. */
const newToolState = (): ToolState =>
  createToolState({ conversationId: '', answerId: '', allowedChanges: [], hasUntrustedText: false, addStep: () => {} })

function createWritingTool(
  context: AppContext,
  router: Router,
  caller: Caller,
  { proposing, name, done, description }: (typeof writingTools)[number],
): DirectTool {
  const createProposingTool = (toolState: ToolState): Tool => {
    const found = createTools(context, router, caller, toolState).find((tool) => tool.name === proposing)
    if (!found) throw new Error(`The assistant has no tool ${proposing}`)
    return found
  }
  return {
    name,
    description: `${description} Returns the id of the change, which undo takes back.`,
    inputSchema: createProposingTool(newToolState()).inputSchema,
    isReading: false,
    run: async (input, signal) => {
      const toolState = newToolState()
      await createProposingTool(toolState).run(input, signal)
      const { items } = toolState
      const [first] = items
      if (!first) return { changed: 0 }
      const request: WriteRequest = {}
      const writer = { ...caller, request }
      const kind = getKind(createToolKinds(context.kinds), first.kind) // a call changes records of one kind
      const label = formatCountLabel(done, kind.recordKind, items.length)
      const applied = await wrapFailure(() =>
        writeItems(context.database, writer, { label, count: items.length }, async () => {
          const made = await applyItems(
            { context, router },
            writer,
            items,
            items.map(({ key }) => ({ key })),
          )
          // deletes and tags have set labels such as "Deleted 1 deal", which a change of one record keeps
          if (items.length > 1) await relabel(label)
          return made
        }),
      )
      return { changed: applied.length, records: applied.slice(0, 20).map(describeItem), change: request.changeId }
    },
  }
}

const describeItem = ({ kind, id, title }: ProposalItem) => ({ link: id === null ? null : linkOf(kind, id), title })

function createRouteTool(router: Router, caller: Caller, { name, route, description }: (typeof routeTools)[number]): DirectTool {
  const inputSchema = route.body ?? z.strictObject(shapeOf(route.params))
  return {
    name,
    description,
    inputSchema,
    isReading: false,
    run: async (input) => {
      const request: WriteRequest = {}
      const parts = route.body ? { body: input } : { params: input }
      const result = await wrapFailure(() => callRoute(router, route, { ...caller, request }, parts))
      return { result, ...(request.changeId !== undefined && { change: request.changeId }) }
    },
  }
}

/** Runs the work. If it fails, throws an `Error` whose message may be shown to the user, with the original error as its `cause`. */
async function wrapFailure<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw new Error(describeFailure(error), { cause: error })
  }
}
