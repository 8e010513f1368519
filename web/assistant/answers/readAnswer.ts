import { AnswerEvent, messageRoutes } from '#contract/assistant.ts'
import { Problem } from '#contract/errors.ts'
import { addressOf, createOfflineError, ProblemError, readProblem } from '#web/lib/client.ts'
import { readEventStream } from '#web/lib/eventStream.ts'

/** The server sends something at least every 25 s, so a connection without any bytes for this time is lost. */
const maxSilenceMs = 60_000

/** The number of characters and of steps that the client has. */
export type AnswerPosition = { from: number; steps: number }

/**
 * Reads the events of an answer from a position on, over one connection. Ends without the event `end` if the connection is lost. Throws
 * `ProblemError`.
 */
export async function* readAnswer(id: string, position: AnswerPosition, signal: AbortSignal): AsyncGenerator<AnswerEvent, void, void> {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), maxSilenceMs)
  const restartTimer = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), maxSilenceMs)
  }
  try {
    const response = await request(id, position, AbortSignal.any([signal, silence.signal]))
    if (!response.ok) throw new ProblemError(await readProblem(response))
    for await (const { event, data } of readEventStream(response, restartTimer)) {
      if (event === 'message') yield AnswerEvent.parse(JSON.parse(data))
      if (event === 'error') throw new ProblemError(Problem.parse(JSON.parse(data)))
    }
  } finally {
    clearTimeout(timer)
  }
}

async function request(id: string, { from, steps }: AnswerPosition, signal: AbortSignal): Promise<Response> {
  try {
    const address = addressOf(messageRoutes.follow, { params: { id }, query: { from, steps } })
    return await fetch(address, { method: 'GET', headers: { accept: 'text/event-stream' }, signal })
  } catch {
    throw createOfflineError()
  }
}
