// Takeout: the download of everything, one zip with all rows and files of an owner.
import type { FastifyReply } from 'fastify'
import type { NamedFile } from '#contract/route.ts'
import { takeoutRoutes } from '#contract/takeout.ts'
import { verifyPassword } from '#server/accounts/accounts.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { mount } from '#server/platform/http/mount.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { createSigner } from '#server/platform/security/signer.ts'
import { computeZipSize, createZip } from '#server/platform/zip/zip.ts'
import { collect } from './collect.ts'
import { readSize } from './takeout.store.ts'

/** The time in which the browser must begin the download, in milliseconds. */
const linkMs = 60_000
const retryAfterSeconds = 30

export const takeoutFeature: Feature = {
  mount: (router, context) => {
    const { database, now } = context
    const signer = createSigner(context.installationKey, 'takeout')
    mount(router, takeoutRoutes, {
      size: ({ caller }) => database.read(caller, () => readSize(caller.owner)),
      prepare: async ({ caller, body }) => {
        if (context.disk.state() !== 'enough') throw new Refusal('storage_full')
        await verifyPassword({ database, attempts: router.attempts }, caller, body.password)
        const release = await takeSlot(context, caller)
        await release() // the slot was only taken to refuse the request early; the download takes it again
        const token = signer.sign(caller.owner, new Date(now().getTime() + linkMs))
        return { url: `/api/takeout/${token}` }
      },
      download: async ({ caller, params, reply }) => {
        const verification = signer.verify(params.token, now())
        if (verification === 'expired') throw new Refusal('link_expired')
        if (verification === 'unknown' || verification.text !== caller.owner) throw new Refusal('not_found')
        return openTakeout(context, caller, reply)
      },
    })
  },
}

/** Takes the only slot of the owner. Throws `too_many_requests` while another takeout of the owner is sent by any process. */
async function takeSlot({ slots }: AppContext, { owner }: Caller): Promise<() => Promise<void>> {
  const release = await slots.tryTake(`takeout of ${owner}`, 1)
  if (release) return release
  // the screen shows the sentence below the field for the password
  const sentence = 'Your last download of everything is still running. Wait until it ends, or cancel it in the browser.'
  throw new Refusal('too_many_requests', { retry_after_seconds: retryAfterSeconds, fields: { password: sentence } })
}

/** Collects the rows, and opens the zip. The temporary file and the slot are freed when the response ends, also if it fails. */
async function openTakeout(context: AppContext, caller: Caller, reply: FastifyReply): Promise<NamedFile> {
  await using opened = new AsyncDisposableStack()
  opened.adopt(await takeSlot(context, caller), (release) => release())
  const { entries } = opened.adopt(await collect(context, caller), ({ close }) => close())
  const resources = opened.move()
  const free = (): void => {
    resources.disposeAsync().catch((error: unknown) => reply.log.error({ err: error }, 'takeout: not closed'))
  }
  if (reply.raw.destroyed) free()
  else reply.raw.once('close', free)
  const day = context.now().toISOString().slice(0, 10)
  return { name: `Foyer ${day}.zip`, size: computeZipSize(entries), chunks: createZip(entries) }
}
