import { Refusal } from '#server/platform/refusal.ts'

/**
 * A call that waits. `bytes`: the size of what it keeps in memory. `drop` removes the call from its queue and rejects it with the error.
 */
export type WaitingCall = { owner: string; bytes: number; drop: (error: Refusal) => void }

/**
 * The waiting calls of all owners in several limiters, up to a maximum of calls and of bytes. When a maximum is reached, a call of an
 * owner with few waiting calls takes the place of the newest call of the owner with the most.
 */
export type WaitingCalls = {
  /** Adds a call. Throws `overloaded` if there is no place and no other owner has more calls or bytes waiting than this one would have. */
  add: (call: WaitingCall) => void
  /** Removes a call that waits no longer. */
  remove: (call: WaitingCall) => void
}

/** The waiting calls of one owner. */
type OwnCalls = { calls: Set<WaitingCall>; bytes: number }

const retryAfterSeconds = 5

/** Creates an empty `WaitingCalls`. A call that has lost its place is told to try again after some seconds. */
export function createWaitingCalls({ maxCalls, maxBytes = Infinity }: { maxCalls: number; maxBytes?: number }): WaitingCalls {
  const owners = new Map<string, OwnCalls>()
  const total = { calls: 0, bytes: 0 }

  function add(call: WaitingCall): void {
    while (total.calls >= maxCalls) makePlace(call, ({ calls }) => calls.size, 1)
    while (total.bytes + call.bytes > maxBytes) makePlace(call, ({ bytes }) => bytes, call.bytes)
    const ownCalls = owners.get(call.owner) ?? { calls: new Set(), bytes: 0 }
    owners.set(call.owner, ownCalls)
    ownCalls.calls.add(call)
    ownCalls.bytes += call.bytes
    total.calls++
    total.bytes += call.bytes
  }

  /**
   * Drops the newest call of the owner with the most calls or bytes (`measure`). Throws `overloaded` if the owner of the new call would
   * then have at least as many as that owner. `addedAmount`: the calls or bytes that the new call adds to its owner.
   */
  function makePlace({ owner }: WaitingCall, measure: (own: OwnCalls) => number, addedAmount: number): void {
    let largest: OwnCalls | undefined
    for (const each of owners.values()) if (!largest || measure(each) > measure(largest)) largest = each
    const ownCalls = owners.get(owner)
    if (!largest || measure(largest) <= (ownCalls ? measure(ownCalls) : 0) + addedAmount)
      throw new Refusal('overloaded', { retry_after_seconds: retryAfterSeconds })
    const newest = [...largest.calls].at(-1)
    if (!newest) throw new Error('An owner without waiting calls is listed')
    remove(newest)
    newest.drop(new Refusal('too_many_requests', { retry_after_seconds: retryAfterSeconds }))
  }

  function remove(call: WaitingCall): void {
    const ownCalls = owners.get(call.owner)
    if (!ownCalls?.calls.delete(call)) return
    ownCalls.bytes -= call.bytes
    total.calls--
    total.bytes -= call.bytes
    if (ownCalls.calls.size === 0) owners.delete(call.owner)
  }

  return { add, remove }
}
