import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { formatActor } from '#contract/actors.ts'
import { identityOf } from '../identity.ts'
import { JobFailure, type JobHandler } from './handler.ts'
import { failJob, finishJob, releaseJob, type Failure, type TakenJob } from './store.ts'

type Options = { handler: JobHandler | undefined; pool: pg.Pool; log: Pick<FastifyBaseLogger, 'warn' | 'error'>; now: () => Date }

/** Runs a taken job and stores its result. Never rejects: if the result could not be stored, the job is freed with the lease of this worker. */
export async function runJob(job: TakenJob, worker: number, { handler, pool, log, now }: Options, signal: AbortSignal): Promise<void> {
  const { id, owner, type, payload } = job
  const caller = identityOf(owner, formatActor('job', type))
  const store = await tryJob().then(
    () => () => finishJob(pool, worker, id),
    (error: unknown) => (signal.aborted ? () => releaseJob(pool, worker, id) : () => fail(error)),
  )
  await storeEnd()

  async function tryJob(): Promise<void> {
    signal.throwIfAborted()
    await handler?.run({ id, owner, caller, payload }, signal)
  }

  async function fail(error: unknown): Promise<void> {
    const failed = await failJob(pool, worker, now(), id, failureOf(error))
    log[failed ? 'error' : 'warn']({ err: error, job: id, type }, failed ? 'jobs: failed' : 'jobs: will be tried again')
  }

  /** Retries until it succeeds, because no other worker can take the job while this lease lasts. */
  async function storeEnd(): Promise<void> {
    for (;;) {
      try {
        return await store()
      } catch (error) {
        log.warn({ err: error, job: id, type }, 'jobs: the end of a job could not be stored')
        if (signal.aborted) return
        await sleep(1000, undefined, { signal }).catch(() => {})
      }
    }
  }
}

function failureOf(error: unknown): Failure {
  const sentence = error instanceof Error ? error.message : String(error)
  const reason = error instanceof JobFailure ? error.reason : undefined
  return { sentence, reason, isFinal: reason !== undefined }
}
