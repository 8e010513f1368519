import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { formatActor } from '#contract/actors.ts'
import { errorCode } from '../error-code.ts'
import { createIdentity } from '../identity.ts'
import { JobFailure, type JobHandler } from './handler.ts'
import { failJob, finishJob, lockedCode, releaseJob, type Failure, type TakenJob } from './store.ts'

type Options = { handler: JobHandler | undefined; pool: pg.Pool; log: Pick<FastifyBaseLogger, 'warn' | 'error'>; now: () => Date }

/**
 * Runs a taken job and stores its result. `worker`: the number of the worker that has taken the job. Never rejects: if the result cannot be
 * stored before `signal` aborts, another worker runs the job again after the lease of this worker, its connection, has ended.
 */
export async function runJob(job: TakenJob, worker: number, { handler, pool, log, now }: Options, signal: AbortSignal): Promise<void> {
  const { id, owner, type, payload } = job
  const caller = createIdentity(owner, formatActor('job', type))
  const storeResult = await runHandler()
  await retryUntilStored(storeResult)

  /** Returns the function that stores the result. */
  async function runHandler(): Promise<() => Promise<void>> {
    try {
      signal.throwIfAborted()
      if (!handler) throw new Error(`There is no handler for jobs of the type ${type}`)
      await handler.run({ id, owner, caller, payload }, signal)
      return () => finishJob(pool, worker, id)
    } catch (error) {
      return signal.aborted ? () => releaseJob(pool, worker, id) : () => storeFailure(error)
    }
  }

  async function storeFailure(error: unknown): Promise<void> {
    const hasFailedPermanently = await failJob(pool, worker, now(), id, toFailure(error), handler?.retryForMinutes)
    if (hasFailedPermanently) log.error({ err: error, job: id, type }, 'jobs: failed')
    else log.warn({ err: error, job: id, type }, 'jobs: will be tried again')
  }

  /**
   * Retries once a second, because no other worker can take the job while the lease of this worker lasts. A worker that stops retries only
   * while the job is locked, and more often; its stop waits a few seconds for this.
   */
  async function retryUntilStored(store: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await store()
      } catch (error) {
        const isLocked = errorCode(error) === lockedCode
        if (!isLocked) log.warn({ err: error, job: id, type }, 'jobs: the result of a job could not be stored')
        if (signal.aborted && !isLocked) return
        await (signal.aborted ? sleep(100) : sleep(1000, undefined, { signal }).catch(() => {}))
      }
    }
  }
}

function toFailure(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error)
  const reason = error instanceof JobFailure ? error.reason : undefined
  return { message, reason, isPermanent: reason !== undefined }
}
