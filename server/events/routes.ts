// Sends the changes of a workspace to open browsers, which then load the changed data again.
import { eventRoutes } from '#contract/events.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { mount, type Router } from '#server/platform/http/mount.ts'
import { Refusal } from '#server/platform/refusal.ts'

/** The maximum number of open streams of one owner in all processes together. Each stream costs memory, and a session lookup per change. */
const maxStreamsOfOwner = 50
/** The time after which the page requests a refused stream again: `reconnectMs` in web/lib/events.ts. */
const retryAfterSeconds = 15

export const eventFeature: Feature = { mount: mountEvents }

function mountEvents(router: Router, { changeFeed, slots }: AppContext): void {
  mount(router, eventRoutes, {
    events:
      async ({ caller: { owner } }) =>
      async (send) => {
        const releaseSlot = await slots.tryTake(`event streams of ${owner}`, maxStreamsOfOwner)
        if (!releaseSlot) throw new Refusal('too_many_requests', { retry_after_seconds: retryAfterSeconds })
        const unsubscribe = await changeFeed.subscribe(owner, send) // the page loads everything again when the stream opens
        return () => {
          unsubscribe()
          void releaseSlot()
        }
      },
  })
}
