// Webhooks: changes of records are sent to addresses of the owner, signed, in order for each record, and with retries.
import {
  maxEndpoints,
  webhookRoutes,
  type NewWebhookEndpoint,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookPatch,
} from '#contract/webhooks.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { mount } from '#server/platform/http/mount.ts'
import { OutboundFailure, requireOutboundAddress } from '#server/platform/outbound/outbound.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { insertTest, readDeliveries, requeue, requeueFailed } from './deliveries.store.ts'
import * as store from './endpoints.store.ts'
import { deleteOldDeliveries, hasActiveEndpoints, makeDeliveries } from './make-deliveries.ts'
import { sealSecret } from './secrets.ts'
import { newSecret } from './sign.ts'
import { createWebhookJobHandler, enqueueWebhookJob } from './webhooks.job.ts'

type Services = Pick<AppContext, 'database' | 'now' | 'installationKey' | 'settings'>

export const webhookFeature: Feature = {
  mount: (router, context) => {
    const { database, now } = context
    mount(router, webhookRoutes, {
      list: async ({ caller }) => ({ rows: await database.read(caller, () => store.readEndpoints(caller.owner)) }),
      create: ({ caller, body }) => addEndpoint(context, caller, body),
      get: ({ caller, params }) => readEndpoint(context, caller, params.id),
      update: ({ caller, params, body }) => changeEndpoint(context, caller, params.id, body),
      replaceSecret: async ({ caller, params }) => {
        const secret = newSecret()
        await changeEndpoint(context, caller, params.id, {
          sealed_secret: sealSecret(context.installationKey, caller.owner, params.id, secret),
        })
        return { secret }
      },
      delete: async ({ caller, params }) => {
        const isDeleted = await database.transaction(caller, '', () => store.deleteEndpoint(caller.owner, params.id))
        if (!isDeleted) throw new Refusal('not_found')
      },
      test: async ({ caller, params }) => {
        await readEndpoint(context, caller, params.id)
        const options = { id: newId(), now: now() }
        const added = await database.transaction(caller, '', async () => {
          await enqueueWebhookJob(params.id)
          return insertTest(caller.owner, params.id, options)
        })
        return requireFirst(added)
      },
      deliveries: async ({ caller, params, query: { limit, ...page } }) => {
        await readEndpoint(context, caller, params.id)
        const rows = await database.read(caller, () => readDeliveries(caller.owner, params.id, { ...page, limit: limit + 1 }))
        return { rows: rows.slice(0, limit), next: rows.length > limit ? (rows[limit - 1]?.id ?? null) : null }
      },
      replay: async ({ caller, params }) => requireFirst(await sendAgain(context, caller, params.id, params.delivery)),
      replayFailed: async ({ caller, params }) => ({ count: await sendFailedAgain(context, caller, params.id) }),
    })
  },
  jobs: (context) => [createWebhookJobHandler(context)],
  schedules: (tableOwner, now) => [
    {
      name: 'webhooks',
      everySeconds: 2,
      hasWork: () => hasActiveEndpoints(tableOwner),
      run: (signal) => makeDeliveries(tableOwner, now(), signal),
    },
    { name: 'old webhook deliveries', everySeconds: 24 * 60 * 60, run: (signal) => deleteOldDeliveries(tableOwner, now(), signal) },
  ],
  takeoutTables: [
    { table: 'webhook_endpoints', name: 'webhook_endpoints', columns: ['id', 'created_at', 'url', 'description', 'events', 'is_active'] },
    { table: 'webhook_deliveries', name: 'webhook_deliveries' },
  ],
}

async function readEndpoint({ database }: Pick<Services, 'database'>, caller: Caller, id: string): Promise<WebhookEndpoint> {
  const found = await database.read(caller, () => store.findEndpoint(caller.owner, id))
  if (!found) throw new Refusal('not_found')
  return found
}

async function addEndpoint(context: Services, caller: Caller, added: NewWebhookEndpoint): Promise<WebhookEndpoint & { secret: string }> {
  const { database } = context
  const { owner } = caller
  requireUrl(context, added.url)
  const [id, secret] = [newId(), newSecret()]
  await database.transaction(caller, '', async () => {
    const [, endpoints] = await Promise.all([store.lockWebhooks(owner), store.readEndpoints(owner)])
    if (endpoints.length >= maxEndpoints)
      throw new Refusal('invalid', { fields: { url: `At most ${maxEndpoints} endpoints. Delete one first` } })
    await store.insertEndpoint(owner, { ...added, id, sealed_secret: sealSecret(context.installationKey, owner, id, secret) })
  })
  return { ...(await readEndpoint(context, caller, id)), secret }
}

async function changeEndpoint(
  context: Services,
  caller: Caller,
  id: string,
  patch: WebhookPatch & { sealed_secret?: string },
): Promise<WebhookEndpoint> {
  if (patch.url !== undefined) requireUrl(context, patch.url)
  const isChanged = await context.database.transaction(caller, '', async () => {
    const hasUpdated = await store.updateEndpoint(caller.owner, id, patch)
    if (hasUpdated) await enqueueWebhookJob(id)
    return hasUpdated
  })
  if (!isChanged) throw new Refusal('not_found')
  return readEndpoint(context, caller, id)
}

/** Throws `invalid` for an address to which nothing would be sent. Only sending can find out that a name leads to a private network. */
function requireUrl({ settings: { allowedHosts } }: Services, url: string): void {
  try {
    requireOutboundAddress(url, allowedHosts)
  } catch (error) {
    if (error instanceof OutboundFailure) throw new Refusal('invalid', { fields: { url: error.message } }, error)
    throw error
  }
}

/** Puts a delivery back into the queue, and ends the pause of the endpoint. */
async function sendAgain({ database, now }: Services, caller: Caller, id: string, delivery: string): Promise<WebhookDelivery[]> {
  await readEndpoint({ database }, caller, id)
  return database.transaction(caller, '', async () => {
    await store.lockWebhooks(caller.owner)
    await store.updateEndpoint(caller.owner, id, {})
    await enqueueWebhookJob(id)
    return requeue(caller.owner, id, delivery, now())
  })
}

/**
 * Puts all failed deliveries back into the queue, and ends the pause of the endpoint. Returns their number. Each part is a transaction, so
 * that deliveries are made between two parts. After an error the caller can ask again: the committed parts have no failed deliveries left.
 */
async function sendFailedAgain({ database, now }: Services, caller: Caller, id: string): Promise<number> {
  await readEndpoint({ database }, caller, id)
  const time = now()
  let count = 0
  let part: Awaited<ReturnType<typeof requeueFailed>>
  do {
    const after = part?.lastRecord
    part = await database.transaction(caller, '', async () => {
      await store.lockWebhooks(caller.owner)
      if (after === undefined) await store.updateEndpoint(caller.owner, id, {}) // once, because the endpoint may be paused again meanwhile
      await enqueueWebhookJob(id)
      return requeueFailed(caller.owner, id, time, after)
    })
    count += part?.count ?? 0
  } while (part)
  return count
}

/** Returns the delivery that a statement has written. Throws `not_found` if there is none. */
function requireFirst<Delivery>([first]: readonly Delivery[]): Delivery {
  if (first === undefined) throw new Refusal('not_found')
  return first
}
