import type { AnswerEvent } from '#contract/assistant.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { Database } from '#server/platform/database/database.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { readMessage } from '../messages/messages.store.ts'
import type { RunningAnswers } from './running.ts'

/** The time between two reads of an answer that another process writes. */
const pollMs = 500
/** The maximum length of the text in one event. */
const maxSliceCharacters = 65_536

/** What a reader has already: the number of characters and of steps. */
type ReaderPosition = { from: number; steps: number }

/**
 * Yields the text and the steps of an answer from a position on, and the complete message at the end. A slow reader gets larger
 * slices. Throws `not_found`, also when the answer is deleted meanwhile.
 */
export async function* followAnswer(
  database: Pick<Database, 'read'>,
  running: Pick<RunningAnswers, 'find' | 'waitForChange'>,
  caller: Caller,
  id: string,
  { from, steps }: ReaderPosition,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent, void, void> {
  yield { type: 'text', at: from, text: '' } // opens the stream while the model has not said anything yet
  let [at, index] = [from, steps]
  while (!signal.aborted) {
    const runningHere = running.find(caller.owner, id)
    const answer = runningHere ?? (await readStored(database, caller, id))
    for (; index < answer.steps.length; index++) {
      const step = answer.steps[index]
      if (step) yield { type: 'step', index, step }
    }
    const text = answer.text.slice(at, at + maxSliceCharacters)
    if (text !== '') {
      yield { type: 'text', at, text }
      at += text.length
    } else if ('message' in answer && answer.message.state !== 'streaming') {
      return yield { type: 'end', message: answer.message }
    } else if (runningHere) {
      if (answer.steps.length === index) await running.waitForChange(id, signal)
    } else {
      await sleep(pollMs, undefined, { signal }).catch(() => {}) // an aborted signal ends the loop
    }
  }
}

/** Reads an answer that this process is not writing. */
async function readStored(database: Pick<Database, 'read'>, caller: Caller, id: string) {
  const message = await database.read(caller, () => readMessage(caller.owner, id))
  return { message, text: message.content, steps: message.steps }
}
