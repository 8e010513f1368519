// The AI endpoint of the benchmark, in a process of its own. The message says what is answered: `times 60` pieces with the time at which
// each is sent, ten a second, or `large`: a text of 390,000 characters at once, which goes on later. Answers begin when a line is written
// to the input of this process.
import { createInterface } from 'node:readline'
import { startAiServer } from '#server/testing/ai-server.ts'
import type { Part } from '#server/testing/ai-reply.ts'

let count = 0
let next = Promise.withResolvers<void>()

const { baseUrl } = await startAiServer({
  respond: async ({ path, text }): Promise<Part[] | undefined> => {
    if (path !== '/chat/completions') return undefined
    const times = Number(text.match(/times (\d+)/)?.[1])
    const begin = { wait: next.promise }
    // models are independent of each other, so their pieces do not come in the same moment
    if (times > 0) return [begin, { wait: (count++ * 37) % 100 }, { times, everyMs: 100 }]
    return [begin, { text: Array.from({ length: 39 }, () => 'x'.repeat(10_000)) }, { wait: 30_000 }, { text: 'The end' }]
  },
})
console.log(JSON.stringify({ port: Number(new URL(baseUrl).port) }))
createInterface({ input: process.stdin }).on('line', () => {
  next.resolve()
  next = Promise.withResolvers<void>()
})
