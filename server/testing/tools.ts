import type { Step } from '#contract/assistant.ts'
import { createTools } from '#server/assistant/tools/tools.ts'
import { createToolState, type ToolState } from '#server/assistant/tools/tool-state.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import type { TestApp } from './app.ts'
import type { Person } from './people.ts'

export type TestTools = {
  toolState: ToolState
  steps: Omit<Step, 'at'>[]
  /** Calls a tool as the model does: the input is checked by the tool's schema, and the result is JSON. */
  call: (name: string, input?: unknown) => Promise<TestResult>
  /** The names of all tools. */
  names: string[]
}
type TestResult = Record<string, unknown> & { rows: Record<string, unknown>[] }

/** Opens the tools of an answer of the assistant to this person. */
export function openTools(
  app: TestApp,
  person: Person,
  options: Partial<Pick<ToolState, 'allowedChanges' | 'hasUntrustedText'>> = {},
): TestTools {
  const steps: Omit<Step, 'at'>[] = []
  const toolState = createToolState({
    conversationId: newId(),
    answerId: newId(),
    allowedChanges: [],
    hasUntrustedText: false,
    addStep: (step) => steps.push(step),
    ...options,
  })
  const tools = createTools(app.context, app.router, callerFor(person.id), toolState)
  return {
    toolState,
    steps,
    names: tools.map(({ name }) => name),
    call: async (name, input = {}) => {
      const tool = tools.find((each) => each.name === name)
      if (!tool) throw new Error(`There is no tool ${name}`)
      const { success, data, error } = tool.inputSchema.safeParse(input)
      if (!success) throw new Error(`Wrong input: ${error.issues.map(({ message }) => message).join(' ')}`)
      const result = await tool.run(data, new AbortController().signal)
      return JSON.parse(JSON.stringify(result))
    },
  }
}
