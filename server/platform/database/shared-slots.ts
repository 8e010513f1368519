import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Row } from './batch.ts'
import { openLease, type Lease } from './lease.ts'

/**
 * A shared slot is a permit to run an operation; its name says which kind of operation. The slots limit how many operations run at the same
 * time in all processes on one database. They are used only for long operations, because taking a slot and freeing it costs one round trip
 * each. All slots of a process use one connection. The slots of a killed process are freed.
 */
export type SharedSlots = {
  /** Takes one of `max` slots of this name until the returned function is called. Returns undefined if no slot is free. */
  tryTake: (name: string, max: number) => Promise<(() => Promise<void>) | undefined>
  /**
   * Runs the work when one of `max` slots of this name is free, in the order of the calls of all processes. Rejects with the signal's
   * reason if it is aborted while the work waits.
   */
  run: <T>(name: string, max: number, signal: AbortSignal | undefined, work: () => Promise<T>) => Promise<T>
  stop: () => Promise<void>
}

/** A slot that this process has claimed by a row in the database. It waits in the queue until `isTaken` is true. */
type Slot = { name: string; max: number; id: string; isTaken: boolean }

/** The interval in which waiting work checks for free slots, because a killed process sends no notification. */
const checkIntervalMs = 1000

/** Creates the slots. `connection` must use the role that owns the tables. */
export function openSharedSlots(connection: pg.ClientConfig): SharedSlots {
  const slots = new Set<Slot>()
  /** The connection whose lock shows the other processes that this one is alive; undefined before the first use and after a loss. */
  let opening: Promise<Lease> | undefined
  let isStopped = false
  let notification = Promise.withResolvers<void>()
  const wakeWaitingWork = (): void => {
    notification.resolve()
    notification = Promise.withResolvers()
  }

  /** Queries run one after the other, because a client of `pg` must not get a second query before the first has ended. */
  let lastQuery: Promise<unknown> = Promise.resolve()
  function query<R extends Row>(client: pg.Client, text: string, values: unknown[]): Promise<R[]> {
    const result = lastQuery.then(() => client.query<R>(text, values)).then(({ rows }) => rows)
    lastQuery = result.catch(() => {})
    return result
  }

  /** Claims a slot by inserting its row. Returns false if no slot is free and `canWait` is false. */
  async function claim({ client, number }: Lease, slot: Slot, { canWait }: { canWait: boolean }): Promise<boolean> {
    const [row] = await query<{ id: string; is_taken: boolean }>(client, 'select id, is_taken from app.take_slot($1, $2, $3, $4)', [
      slot.name,
      number,
      slot.max,
      canWait,
    ])
    if (row) Object.assign(slot, { id: row.id, isTaken: slot.isTaken || row.is_taken })
    return row !== undefined
  }

  /** Opens the connection. After a lost connection it claims the slots of this process again under a new number. */
  async function open(): Promise<Lease> {
    if (isStopped) throw new Error('The process is stopping')
    const lease = await openLease({ connection, channel: 'slots', onNotification: wakeWaitingWork })
    lease.lost.addEventListener('abort', () => {
      opening = undefined
      wakeWaitingWork()
    })
    try {
      for (const slot of slots) await claim(lease, slot, { canWait: true })
    } catch (error) {
      await lease.close()
      throw error
    }
    return lease
  }

  function getLease(): Promise<Lease> {
    opening ??= open().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }

  async function take(name: string, max: number, options: { canWait: boolean }): Promise<Slot | undefined> {
    const slot: Slot = { name, max, id: '', isTaken: false }
    if (!(await claim(await getLease(), slot, options))) return undefined
    slots.add(slot)
    return slot
  }

  async function waitUntilTaken(slot: Slot, signal: AbortSignal | undefined): Promise<void> {
    while (!slot.isTaken) {
      const nextNotification = notification.promise
      const { client } = await getLease()
      const [row] = await query<{ is_taken: boolean }>(client, 'select app.is_slot_taken($1, $2) as is_taken', [slot.id, slot.max])
      slot.isTaken ||= row?.is_taken ?? false
      if (slot.isTaken) return
      await Promise.race([nextNotification, sleep(checkIntervalMs, undefined, { signal, ref: false }).catch(() => {})])
      signal?.throwIfAborted()
    }
  }

  /** Never rejects. If the row cannot be deleted, it closes the lease, which frees the slot. */
  async function free(slot: Slot): Promise<void> {
    slots.delete(slot)
    const lease = await opening?.catch(() => undefined)
    const text = `with freed as (delete from app.slots where id = $1) select pg_notify('slots', '')`
    if (lease) await query(lease.client, text, [slot.id]).catch(() => lease.close())
  }

  return {
    tryTake: async (name, max) => {
      const slot = await take(name, max, { canWait: false })
      return slot && (() => free(slot))
    },
    run: async (name, max, signal, work) => {
      signal?.throwIfAborted()
      const slot = await take(name, max, { canWait: true })
      if (!slot) throw new Error('app.take_slot returned no row for work that can wait')
      try {
        await waitUntilTaken(slot, signal)
        return await work()
      } finally {
        await free(slot)
      }
    },
    stop: async () => {
      isStopped = true
      await (await opening?.catch(() => undefined))?.close()
    },
  }
}
