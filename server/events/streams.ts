import { Refusal } from '#server/platform/refusal.ts'

const maxStreamsOfOwner = 50
/** The browser retries after this time by itself. */
const retryAfterSeconds = 15

/** Counts one more stream of an owner until the returned function is called. Throws `too_many_requests`. */
type CountStream = (owner: string) => () => void

/** Every open stream costs memory and a session lookup for each change. */
export function countStreams(): CountStream {
  const streams = new Map<string, Set<symbol>>()
  return (owner) => {
    const own = streams.get(owner) ?? new Set()
    if (own.size >= maxStreamsOfOwner) throw new Refusal('too_many_requests', { retry_after_seconds: retryAfterSeconds })
    const stream = Symbol('stream')
    streams.set(owner, own.add(stream))
    return () => {
      own.delete(stream) // may be called twice
      if (own.size === 0) streams.delete(owner)
    }
  }
}
