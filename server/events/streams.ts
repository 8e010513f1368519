import { Refusal } from '#server/platform/refusal.ts'

const mostOfOneOwner = 50
/** A browser that was refused comes back after this time by itself. */
const comeBackSeconds = 15

/** Counts one more stream of an owner until the answered function is called; refuses what is too many. */
type CountStream = (owner: string) => () => void

/** Every open stream costs memory and a question for each change: fifty are enough for all screens of one owner. */
export function countStreams(): CountStream {
  const streams = new Map<string, Set<symbol>>()
  return (owner) => {
    const own = streams.get(owner) ?? new Set()
    if (own.size >= mostOfOneOwner) throw new Refusal('too_many_requests', { retry_after_seconds: comeBackSeconds })
    const stream = Symbol('stream')
    streams.set(owner, own.add(stream))
    return () => {
      own.delete(stream) // a second call changes nothing
      if (own.size === 0) streams.delete(owner)
    }
  }
}
