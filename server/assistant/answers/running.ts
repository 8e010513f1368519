// The answers that this process is writing, and the readers that wait for their text.
import type { Step } from '#contract/assistant.ts'

/** An answer that this process is writing. `text` is what users see. Readers have an offset in it, so a slow reader needs no memory. */
export type RunningAnswer = {
  id: string
  owner: string
  text: string
  steps: Step[]
  /** Aborting it ends the answer. The reason says why. */
  stop: AbortController
  /** Resolves when the end of the answer is stored, or cannot be stored. */
  ended: Promise<void>
}

/**
 * Why a running answer ends early. `stopped by user`: the user has stopped it. `too long`: its text is longer than the maximum. `lost`: it
 * was deleted, or marked as interrupted meanwhile. `server stops`: this process ends.
 */
export type StopReason = 'stopped by user' | 'too long' | 'lost' | 'server stops'

export type RunningAnswers = {
  /** Returns the answer of the owner if this process is writing it. */
  find: (owner: string, id: string) => RunningAnswer | undefined
  count: () => number
  /** Adds an answer, which `work` writes. It is removed when `work` has ended. */
  start: (answer: Pick<RunningAnswer, 'id' | 'owner'>, work: (running: RunningAnswer) => Promise<void>) => void
  /** Tells all readers that an answer has more text or a further step. */
  notifyReaders: (id: string) => void
  /** Waits until an answer has more text or steps than at the call, or has ended, or the signal aborts. */
  waitForChange: (id: string, signal: AbortSignal) => Promise<void>
  /** Ends all answers, and waits until they are stored. No further answers can start. */
  stop: () => Promise<void>
}

/** Creates the list of the answers that this process is writing. */
export function createRunningAnswers(): RunningAnswers {
  const answers = new Map<string, RunningAnswer>()
  const readers = new Map<string, Set<() => void>>()
  let isStopping = false

  const notifyReaders = (id: string): void => {
    const waiting = readers.get(id)
    readers.delete(id)
    for (const wake of waiting ?? []) wake()
  }

  return {
    find: (owner, id) => {
      const answer = answers.get(id)
      return answer?.owner === owner ? answer : undefined
    },
    count: () => answers.size,
    start: ({ id, owner }, work) => {
      const running: RunningAnswer = { id, owner, text: '', steps: [], stop: new AbortController(), ended: Promise.resolve() }
      answers.set(id, running)
      if (isStopping) running.stop.abort('server stops' satisfies StopReason)
      running.ended = work(running).finally(() => {
        answers.delete(id)
        notifyReaders(id)
      })
    },
    notifyReaders,
    waitForChange: (id, signal) =>
      new Promise((resolve) => {
        if (signal.aborted || !answers.has(id)) return resolve()
        const waiting = readers.get(id) ?? new Set()
        readers.set(id, waiting)
        const wake = (): void => {
          waiting.delete(wake)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        waiting.add(wake)
        signal.addEventListener('abort', wake)
      }),
    stop: async () => {
      isStopping = true
      for (const { stop } of answers.values()) stop.abort('server stops' satisfies StopReason)
      await Promise.all([...answers.values()].map(({ ended }) => ended))
    },
  }
}
