// The tools through which the assistant reads the workspace and proposes changes.
import type { Tool } from '#server/platform/ai/types.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import type { Router } from '#server/platform/http/mount.ts'
import { createToolKinds } from './kinds.ts'
import { createProposingTools } from './propose.ts'
import { createRecordTools } from './read-records.ts'
import { createRouteTools } from './read-routes.ts'
import type { UnboundTool } from './tool.ts'
import type { ToolState } from './tool-state.ts'

type SharedTools = { reading: readonly UnboundTool[]; proposing: readonly UnboundTool[] }

/** The tools of each application, which its answers share, because making them takes longer than most of their calls. */
const toolsByContext = new WeakMap<AppContext, SharedTools>()

/** Returns the tools of one answer. Reads run at once for the caller; writes only add changes to `toolState.items`. */
export function createTools(context: AppContext, router: Router, caller: Caller, toolState: ToolState): readonly Tool[] {
  const { reading, proposing } = shareTools(context, router)
  return [...reading, ...proposing].map((bind) => bind({ caller, toolState }))
}

/** Returns the tools that only read. */
export const createReadingTools = (context: AppContext, router: Router, caller: Caller, toolState: ToolState): readonly Tool[] =>
  shareTools(context, router).reading.map((bind) => bind({ caller, toolState }))

function shareTools(context: AppContext, router: Router): SharedTools {
  const found = toolsByContext.get(context)
  if (found) return found
  const services = { context, router, toolKinds: createToolKinds(context.kinds) }
  const made = { reading: [...createRecordTools(services), ...createRouteTools(services)], proposing: createProposingTools(services) }
  toolsByContext.set(context, made)
  return made
}
