// The AI endpoint of the benchmark, in a process of its own. It answers two messages. The answer to `pieces 60` has 60 pieces, ten a
// second; the text of a piece is the time at which it is sent. The answer to `large` is a text of 390,000 characters at once, and its end
// 30 s later. The requested answers begin when a line is written to the input of this process.
import { createInterface } from 'node:readline'
import { startAiServer } from '#server/testing/ai-server.ts'
import type { Part } from '#server/testing/ai-reply.ts'

let count = 0
let beginSignal = Promise.withResolvers<void>()

const { baseUrl } = await startAiServer({
  respond: async ({ path, text }): Promise<Part[] | undefined> => {
    if (path !== '/chat/completions') return undefined
    const pieces = Number(text.match(/pieces (\d+)/)?.[1])
    const begin = { wait: beginSignal.promise }
    // the pieces of different answers are sent at different moments, as by independent models
    if (pieces > 0) return [begin, { wait: (count++ * 37) % 100 }, { timePieces: pieces, everyMs: 100 }]
    return [begin, { text: Array.from({ length: 39 }, () => 'x'.repeat(10_000)) }, { wait: 30_000 }, { text: 'The end' }]
  },
})
console.log(JSON.stringify({ port: Number(new URL(baseUrl).port) }))
createInterface({ input: process.stdin }).on('line', () => {
  beginSignal.resolve()
  beginSignal = Promise.withResolvers<void>()
})
