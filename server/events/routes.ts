// Events: tells open screens which records have changed; they fetch what they show again.
import { eventRoutes } from '#contract/events.ts'
import type { House } from '#server/platform/feature.ts'
import { mount, type Door } from '#server/platform/http/mount.ts'
import { countStreams } from './streams.ts'

export function mountEvents(door: Door, { tail }: House): void {
  const countStream = countStreams()
  mount(door, eventRoutes, {
    events: async ({ who }) => {
      const { owner } = who
      const close = countStream(owner)
      return (send) => {
        const stop = tail.subscribe(owner, send)
        return () => {
          stop()
          close()
        }
      }
    },
  })
}
