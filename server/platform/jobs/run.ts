import { setTimeout as sleep } from 'node:timers/promises'
import { JobFailure } from './failure.ts'
import { failJob, finishJob, giveBackJob, type Failing, type TakenJob } from './store.ts'
import type { Crew } from './shift.ts'

/** Runs a taken job and notes how it ended. Never rejects: what could not be noted is free to others once this worker is gone. */
export async function runJob(job: TakenJob, worker: number, { tasks, pool, log, now }: Crew, over: AbortSignal): Promise<void> {
  const { id, owner, task, payload } = job
  const note = await tryTask().then(
    () => () => finishJob(pool, worker, id),
    (error: unknown) => (over.aborted ? () => giveBackJob(pool, worker, id) : () => fail(error)),
  )
  await persist()

  async function tryTask(): Promise<void> {
    over.throwIfAborted()
    await tasks[task]?.({ id, owner, payload }, over)
  }

  async function fail(error: unknown): Promise<void> {
    const failed = await failJob(pool, worker, now(), id, failing(error))
    log[failed ? 'error' : 'warn']({ err: error, job: id, task }, failed ? 'jobs: failed' : 'jobs: will be tried again')
  }

  /** As long as our lock holds nobody else can take the job, so we may take our time with a database that is slow to answer. */
  async function persist(): Promise<void> {
    for (;;) {
      try {
        return await note()
      } catch (error) {
        log.warn({ err: error, job: id, task }, 'jobs: how it ended could not be noted')
        if (over.aborted) return
        await sleep(1000, undefined, { signal: over }).catch(() => {})
      }
    }
  }
}

function failing(error: unknown): Failing {
  const sentence = error instanceof Error ? error.message : String(error)
  const reason = error instanceof JobFailure ? error.reason : undefined
  return { sentence, reason, isFinal: reason !== undefined }
}
