import type * as z from 'zod/mini'
import { errors, type ErrorCode } from '#contract/errors.ts'
import type { Step } from '#contract/assistant.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import type { Router } from '#server/platform/http/mount.ts'
import type { Tool } from '#server/platform/ai/types.ts'
import { toRefusal } from '#server/platform/http/problem.ts'
import type { ToolKind } from './kinds.ts'
import type { ToolState } from './tool-state.ts'

/** What the tools of all answers use. */
export type ToolContext = { context: AppContext; router: Router; toolKinds: readonly ToolKind[] }

/** A call of a tool in an answer. `caller`: the caller for whom the answer is written. */
export type ToolCall = { caller: Caller; toolState: ToolState; signal: AbortSignal }

/** A tool that is not bound to an answer yet. Its schema is made once, because that takes longer than most calls. */
export type UnboundTool = (answer: Omit<ToolCall, 'signal'>) => Tool

/** The result of a tool and the step that the user sees. */
export type ToolResult = { result: unknown; step: Partial<Omit<Step, 'at' | 'text'>> & { text: string } }

type ToolDefinition<Schema extends z.ZodMiniType> = {
  name: string
  description: string
  inputSchema: Schema
  /** The text of the step when the tool fails, such as "Searched deals" or "Could not propose to change deals". */
  failedText: (input: z.output<Schema>) => string
  run: (input: z.output<Schema>, call: ToolCall) => Promise<ToolResult>
}

/** Creates a tool that adds its step to the answer, also if it fails. The model gets a failure as a sentence. */
export function defineTool<Schema extends z.ZodMiniType>({
  name,
  description,
  inputSchema,
  failedText,
  run,
}: ToolDefinition<Schema>): UnboundTool {
  return (answer) => ({
    name,
    description,
    inputSchema,
    run: async (input: z.output<Schema>, signal) => {
      const { toolState } = answer
      const items = structuredClone(toolState.items)
      try {
        const { result, step } = await run(input, { ...answer, signal })
        toolState.addStep({ ...emptyStep, ...step })
        return result
      } catch (error) {
        toolState.items = items // a call proposes all of its changes or none
        toolState.addStep({ ...emptyStep, text: failedText(input), is_failed: true })
        throw new Error(describeFailure(error), { cause: error })
      }
    },
  })
}

const emptyStep = { count: null, kind: null, list: null, records: [], is_failed: false }

/** Returns the sentences of a refusal for the model, such as "Some of this needs another look. value: At least 0". */
export function describeFailure(error: unknown): string {
  const { code, extras } = toRefusal(error)
  const fields = Object.entries(extras.fields ?? {}).map(([field, message]) => `${field}: ${message.replace(/\.?$/, '.')}`)
  return [sentenceOf(code), ...fields].join(' ')
}

const sentenceOf = (code: ErrorCode): string => errors[code][1]

/** Returns the caller for reads, which end when the answer is stopped. */
export const readerOf = ({ caller, signal }: ToolCall): Caller => ({ ...caller, readSignal: signal, queueSignal: signal })
