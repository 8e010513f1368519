// The job that sends the due deliveries of an endpoint. Only one job of an endpoint exists, however many deliveries wait.
import * as z from 'zod/mini'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { defineJobType, enqueue } from '#server/platform/jobs/enqueue.ts'
import { handleJobs, type JobHandler } from '#server/platform/jobs/handler.ts'
import { listSentTables } from './body.ts'
import { failOld, readDue, storeAttempts, storeEndpointState, type Attempt } from './deliveries.store.ts'
import { findEndpoint, lockWebhooks, type StoredEndpoint } from './endpoints.store.ts'
import { mailTrouble } from './mail.ts'
import { sendDelivery, type Receiver } from './send.ts'
import { openSecret } from './secrets.ts'

/** Receivers may take long to answer, so these jobs have slots of their own. */
export const webhookJob = defineJobType('webhooks', z.object({ endpoint: z.uuid() }), { maxRunning: 4 })

type Services = Pick<AppContext, 'database' | 'now' | 'secret' | 'outbound' | 'settings'>

/** The number of deliveries that are sent to an endpoint at the same time. */
const maxSending = 8
/** After this time the job gives its slot to the jobs of other endpoints. */
const maxRunMs = 20_000
/** How long deliveries are tried. */
const retryMs = 3 * 24 * 60 * 60 * 1000
/** The pause of an endpoint after `failures` batches of which nothing arrived. It is short, because one delivery may be the reason. */
const endpointPauseMs = (failures: number): number => (failures < 3 ? 0 : Math.min(5 * 60_000, 10_000 * 2 ** (failures - 3)))
/** After this time without any success the owner gets a mail. */
const mailAfterMs = 24 * 60 * 60 * 1000
const gaveUpProblem = 'The receiver did not accept it for three days.'

/** Creates the handler of the jobs that send the due deliveries of an endpoint, until none is due or the endpoint is paused. */
export function handleWebhookJobs(context: Services): JobHandler {
  const tables = listSentTables()
  return handleJobs(webhookJob, async ({ owner, caller, payload: { endpoint: id } }, signal) => {
    const endsAt = performance.now() + maxRunMs
    for (;;) {
      const { database, now } = context
      const [endpoint, due] = await database.read(caller, () =>
        Promise.all([findEndpoint(owner, id), readDue(owner, id, now(), maxSending)]),
      )
      if (!endpoint?.is_active || due.length === 0) return
      const receiver: Receiver = { url: endpoint.url, secret: openSecret(context.secret, owner, endpoint), tables, retryMs }
      const attempts = (await Promise.all(due.map((delivery) => sendDelivery(context, receiver, delivery, signal)))).filter(
        (attempt) => attempt !== undefined,
      )
      const isPaused = await storeResults(context, caller, endpoint, attempts)
      signal.throwIfAborted()
      if (isPaused) return
      // the job runs again when other jobs had their turn
      if (performance.now() > endsAt) return database.transaction(caller, '', () => enqueue(webhookJob, { endpoint: id }, { key: id }))
    }
  })
}

/** Stores the results and the state of the endpoint. Returns whether the endpoint is paused or off now. */
async function storeResults(
  { database, now, settings: { address } }: Services,
  caller: Caller,
  endpoint: StoredEndpoint,
  attempts: readonly (Attempt & { isReceiverDown: boolean; isGone: boolean })[],
): Promise<boolean> {
  if (attempts.length === 0) return false
  const time = now()
  const isDown = attempts.every(({ isReceiverDown }) => isReceiverDown)
  const isGone = attempts.some((attempt) => attempt.isGone)
  const failures = isDown ? endpoint.failures + 1 : 0
  const failingSince = isDown ? new Date(endpoint.failing_since ?? time) : null
  const pauseMs = endpointPauseMs(failures)
  const state = {
    failures,
    failingSince,
    pausedUntil: pauseMs > 0 ? new Date(time.getTime() + pauseMs) : null,
    problem: isGone ? goneProblem : (attempts.findLast(({ problem }) => problem !== null)?.problem ?? null),
    isActive: !isGone,
  }
  const hasSuccess = attempts.some(({ status }) => status === 'delivered')
  await database.transaction(caller, '', async () => {
    await lockWebhooks(caller.owner)
    await storeAttempts(caller.owner, endpoint.id, attempts, time)
    await storeEndpointState(caller.owner, endpoint.id, state, hasSuccess ? time : null)
    const queuedBefore = new Date(time.getTime() - retryMs)
    const mustGiveUp = failingSince !== null && failingSince <= queuedBefore
    const givenUp = mustGiveUp ? await failOld(caller.owner, endpoint.id, queuedBefore, time, gaveUpProblem) : 0
    const hasGivenUp = givenUp > 0 || attempts.some(({ status }) => status === 'failed')
    const isFailing = failingSince !== null && time.getTime() - failingSince.getTime() >= mailAfterMs
    const trouble = isGone ? 'gone' : hasGivenUp ? 'given_up' : isFailing ? 'failing' : undefined
    // if the endpoint accepts other deliveries, the owner gets at most one mail a day
    const since = failingSince ?? new Date(time.getTime() - mailAfterMs)
    if (trouble) await mailTrouble(caller.owner, trouble, { ...endpoint, problem: state.problem }, { now: time, since, address })
  })
  return pauseMs > 0 || isGone
}

const goneProblem = 'The receiver said that it is gone (410), so the endpoint was turned off.'
