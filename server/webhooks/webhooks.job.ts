// The job that sends the due deliveries of an endpoint. Only one job of an endpoint exists, however many deliveries wait.
import * as z from 'zod/mini'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { defineJobType, enqueue } from '#server/platform/jobs/enqueue.ts'
import { createJobHandler, type JobHandler } from '#server/platform/jobs/handler.ts'
import { listSentTables } from './body.ts'
import { failOld, maxDeliveriesPerPart, readDue, storeAttempts, storeEndpointState, type EndpointState } from './deliveries.store.ts'
import { findEndpoint, lockWebhooks, type StoredEndpoint } from './endpoints.store.ts'
import { mailTrouble, type EndpointTrouble } from './mail.ts'
import { giveUpAfterMs, sendDelivery, type Receiver, type SendResult } from './send.ts'
import { unsealSecret } from './secrets.ts'

/** Receivers may take long to answer, so these jobs have slots of their own. */
export const webhookJob = defineJobType('webhooks', z.object({ endpoint: z.uuid() }), { maxRunning: 4 })

type Services = Pick<AppContext, 'database' | 'mail' | 'now' | 'installationKey' | 'outbound' | 'settings'>

/** The number of deliveries that are sent to an endpoint at the same time. */
const maxSending = 8
/** After this time the job gives its slot to the jobs of other endpoints. */
const maxRunMs = 20_000
/** The pause of an endpoint after a number of failed batches in a row. It is short, because one delivery may be the reason. */
const endpointPauseMs = (failures: number): number => (failures < 3 ? 0 : Math.min(5 * 60_000, 10_000 * 2 ** (failures - 3)))
/** After this time without any success the owner gets a mail. */
const mailAfterMs = 24 * 60 * 60 * 1000
const gaveUpProblem = 'The receiver did not accept it for three days.'

/** Creates the handler of the jobs that send the due deliveries of an endpoint, until none is due or the endpoint is paused. */
export function createWebhookJobHandler(context: Services): JobHandler {
  const tables = listSentTables()
  return createJobHandler(webhookJob, async ({ owner, caller, payload: { endpoint: id } }, signal) => {
    const endsAt = performance.now() + maxRunMs
    for (;;) {
      const { database, now } = context
      const [endpoint, due] = await database.read(caller, () =>
        Promise.all([findEndpoint(owner, id), readDue(owner, id, now(), maxSending)]),
      )
      if (!endpoint?.is_active || isPausedAt(endpoint, now()) || due.length === 0) return
      const receiver: Receiver = { url: endpoint.url, secret: unsealSecret(context.installationKey, owner, endpoint), tables }
      const results = await Promise.all(due.map((delivery) => sendDelivery(context, receiver, delivery, signal)))
      const finished = results.filter((result) => result !== undefined) // the others were stopped by the signal
      const { isPaused, hasMoreOld } = await storeResults(context, caller, endpoint, finished)
      if (hasMoreOld) await giveUpRest(context, caller, id, signal)
      signal.throwIfAborted()
      if (isPaused) return
      // a new job of this endpoint runs after the jobs that wait now
      if (performance.now() > endsAt) return database.transaction(caller, '', () => enqueueWebhookJob(id))
    }
  })
}

/** Adds the job of an endpoint in the open transaction. A job that waits for its next attempt runs at once. */
export const enqueueWebhookJob = (endpointId: string): Promise<void> => enqueue(webhookJob, { endpoint: endpointId }, { key: endpointId })

/** Whether the endpoint is paused. After the pause, the schedule adds the job again. */
const isPausedAt = ({ paused_until: until }: StoredEndpoint, now: Date): boolean => until !== null && Date.parse(until) > now.getTime()

/**
 * Stores the results of a batch and the state of its endpoint, and adds a mail to the owner if there is trouble.
 * `isPaused`: the endpoint is paused or off now. `hasMoreOld`: a whole part of old deliveries was given up, so there may be more.
 */
async function storeResults(
  { database, mail, now, settings: { address } }: Services,
  caller: Caller,
  endpoint: StoredEndpoint,
  results: readonly SendResult[],
): Promise<{ isPaused: boolean; hasMoreOld: boolean }> {
  if (results.length === 0) return { isPaused: false, hasMoreOld: false }
  const { owner } = caller
  const time = now()
  const state = findState(endpoint, results, time)
  return database.transaction(caller, '', async () => {
    await lockWebhooks(owner)
    await storeAttempts(owner, endpoint.id, results, time)
    const successAt = results.some(({ status }) => status === 'delivered') ? time : null
    // false if the owner has changed the endpoint meanwhile, so the job reads it again
    if (!(await storeEndpointState(owner, endpoint, state, successAt))) return { isPaused: false, hasMoreOld: false }
    const givenUp = await giveUpOld(owner, endpoint.id, state, time)
    const trouble = findTrouble(state, givenUp > 0 || results.some(({ status }) => status === 'failed'), time)
    // if the endpoint accepts other deliveries, the owner gets at most one mail a day
    const since = state.failingSince ?? new Date(time.getTime() - mailAfterMs)
    if (trouble) await mailTrouble(mail, owner, trouble, { ...endpoint, problem: state.problem }, { now: time, since, address })
    return { isPaused: state.pausedUntil !== null || !state.isActive, hasMoreOld: givenUp === maxDeliveriesPerPart }
  })
}

const goneProblem = 'The receiver said that it is gone (410), so the endpoint was turned off.'

/** Returns the state of an endpoint after a batch. It is paused only if the receiver was down for all deliveries of the batch. */
function findState(endpoint: StoredEndpoint, results: readonly SendResult[], time: Date): EndpointState {
  const isDown = results.every(({ isReceiverDown }) => isReceiverDown)
  const isGone = results.some((result) => result.isGone)
  const failures = isDown ? endpoint.failures + 1 : 0
  const pauseMs = endpointPauseMs(failures)
  return {
    failures,
    failingSince: findFailingSince(endpoint, results, time),
    pausedUntil: pauseMs > 0 ? new Date(time.getTime() + pauseMs) : null,
    problem: isGone ? goneProblem : (results.findLast(({ problem }) => problem !== null)?.problem ?? null),
    isActive: !isGone,
  }
}

/** Returns since when nothing was delivered. Deliveries that could not be sent at all say nothing about the receiver. */
function findFailingSince({ failing_since }: StoredEndpoint, results: readonly SendResult[], time: Date): Date | null {
  if (results.some(({ status }) => status === 'delivered')) return null
  if (failing_since !== null) return new Date(failing_since)
  return results.some(({ duration_ms }) => duration_ms !== null) ? time : null
}

/**
 * Gives up a part of the deliveries that have waited for `giveUpAfterMs` or longer, and returns their number. Gives up none if the receiver
 * answers, because it may still accept them, or if a delivery succeeded within `giveUpAfterMs`.
 */
async function giveUpOld(
  owner: string,
  endpointId: string,
  { failures, failingSince }: Pick<EndpointState, 'failures' | 'failingSince'>,
  time: Date,
): Promise<number> {
  const queuedUntil = new Date(time.getTime() - giveUpAfterMs)
  if (failures === 0 || failingSince === null || failingSince > queuedUntil) return 0
  return failOld(owner, endpointId, queuedUntil, time, gaveUpProblem)
}

/** Gives up the other parts, each in a transaction, as long as the owner does not change the endpoint. */
async function giveUpRest({ database, now }: Services, caller: Caller, id: string, signal: AbortSignal): Promise<void> {
  const { owner } = caller
  let givenUp: number
  do {
    signal.throwIfAborted()
    givenUp = await database.transaction(caller, '', async () => {
      await lockWebhooks(owner)
      const endpoint = await findEndpoint(owner, id)
      if (!endpoint?.failing_since) return 0
      return giveUpOld(owner, id, { failures: endpoint.failures, failingSince: new Date(endpoint.failing_since) }, now())
    })
  } while (givenUp === maxDeliveriesPerPart)
}

/** Returns the most serious trouble, for the mail to the owner; undefined if there is none. */
function findTrouble({ isActive, failingSince }: EndpointState, hasGivenUp: boolean, time: Date): EndpointTrouble | undefined {
  if (!isActive) return 'gone'
  if (hasGivenUp) return 'given_up'
  return failingSince !== null && time.getTime() - failingSince.getTime() >= mailAfterMs ? 'failing' : undefined
}
