// Events: sends the changes of a workspace to open screens, which then fetch again what they show.
import { eventRoutes } from '#contract/events.ts'
import type { AppContext } from '#server/platform/context.ts'
import type { Feature } from '#server/platform/feature.ts'
import { mount, type Router } from '#server/platform/http/mount.ts'
import { countStreams } from './streams.ts'

export const eventFeature: Feature = { mount: mountEvents }

function mountEvents(router: Router, { changeFeed }: AppContext): void {
  const countStream = countStreams()
  mount(router, eventRoutes, {
    events: async ({ caller }) => {
      const { owner } = caller
      const close = countStream(owner)
      return (send) => {
        const stop = changeFeed.subscribe(owner, send)
        return () => {
          stop()
          close()
        }
      }
    },
  })
}
