import * as z from 'zod/mini'
import type { AiServer } from '#server/testing/ai-server.ts'
import type { Part, Reply } from '#server/testing/ai-reply.ts'
import { createAi } from './ai.ts'
import type { Answer, AnswerRequest, Tool } from './types.ts'

/** An `Ai` that may send requests to the stand-ins of endpoints on this machine. */
export const testAi = createAi({ allowedHosts: ['127.0.0.1'], localServers: [] })

/** Asks the stand-in a question. */
export const ask = (server: AiServer, request: Partial<AnswerRequest> = {}): Promise<Answer> =>
  testAi.generate(server.connection, { instructions: 'Be short.', messages: [{ role: 'user', text: 'Who is new?' }], ...request })

/** Creates a tool that finds contacts, and a list of the inputs that it gets. */
export function createFindTool(run: Tool['run'] = async () => [{ id: 'c1', name: 'Ada' }]): { tool: Tool; inputs: unknown[] } {
  const inputs: unknown[] = []
  const tool: Tool = {
    name: 'find',
    description: 'Finds contacts.',
    inputSchema: z.object({ name: z.string() }),
    run: async (input, signal) => {
      inputs.push(input)
      return run(input, signal)
    },
  }
  return { tool, inputs }
}

/** Replies with the parts to a question, and with a text to the results of tools. */
export const thenText =
  (parts: readonly Part[], text = 'It is Ada.') =>
  ({ toolResults }: { toolResults: string[] }): Reply =>
    toolResults.length > 0 ? text : parts
