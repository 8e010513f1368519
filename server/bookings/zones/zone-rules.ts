// Finds the bookings whose clock time has changed because the rules of their time zone have changed. A booking keeps its instant.
import type pg from 'pg'
import { inTransaction } from '#server/platform/database/table-owner.ts'
import { listOffsets } from '#server/platform/time/local-time.ts'
import { listZoneNames } from '#server/platform/time/zones.ts'

/** The offsets of a zone since 2026 in minutes, each with the instant in ms from which it is valid; for the first, this is 0. */
type Offsets = readonly (readonly [from: number, minutes: number])[]
type ChangedZone = { timezone: string; before: Offsets; after: Offsets }

const firstInstant = Date.UTC(2026, 0)

/**
 * Compares the rules of all zones with those that were stored last, and stores a notice for each future booking whose clock time has changed.
 * The first run only stores the rules. One transaction, so that a crash loses no notice. `tableOwner` connects as the role that owns the tables.
 */
export const storeZoneChanges = (tableOwner: pg.Pool, now: Date): Promise<void> =>
  inTransaction(tableOwner, async (client) => {
    await client.query('lock table app.zone_rules in share row exclusive mode') // another run would compare with rules that are about to change
    const { rows } = await client.query<{ timezone: string; offsets: Offsets }>('select timezone, offsets from app.zone_rules')
    const stored = new Map(rows.map(({ timezone, offsets }) => [timezone, offsets]))
    const changed = listZoneNames().flatMap((timezone): ChangedZone[] => {
      const before = stored.get(timezone)
      const after = readOffsets(timezone)
      return isEqual(before, after) ? [] : [{ timezone, before: before ?? after, after }]
    })
    if (changed.length > 0) await storeRules(client, changed)
    // for a zone without stored rules, `before` and `after` are the same list
    for (const zone of changed) if (zone.before !== zone.after) await storeNotices(client, now, zone)
    await client.query('delete from booking_zone_changes where start_time <= $1', [now])
  })

/** Leaves out the offsets before 2026, so that new rules for the past do not count as changes. */
function readOffsets(timezone: string): Offsets {
  const offsets = listOffsets(timezone)
  const first = Math.max(
    0,
    offsets.findLastIndex(({ from }) => from <= firstInstant),
  )
  return offsets.slice(first).map(({ from, minutes }, index) => [index === 0 ? 0 : from, minutes])
}

const isEqual = (one: Offsets | undefined, other: Offsets): boolean => JSON.stringify(one) === JSON.stringify(other)

const offsetAt = (offsets: Offsets, instant: number): number => offsets.findLast(([from]) => from <= instant)?.[1] ?? 0

async function storeRules(client: pg.ClientBase, changed: readonly ChangedZone[]): Promise<void> {
  await client.query(
    `insert into app.zone_rules (timezone, offsets) select timezone, offsets::jsonb from unnest($1::text[], $2::text[]) zone (timezone, offsets)
     on conflict (timezone) do update set offsets = excluded.offsets`,
    [changed.map(({ timezone }) => timezone), changed.map(({ after }) => JSON.stringify(after))],
  )
}

/** Stores a notice for each future booking whose visitor or owner uses the zone, and whose start has another offset now. */
async function storeNotices(client: pg.ClientBase, now: Date, { timezone, before, after }: ChangedZone): Promise<void> {
  const instants = [...before, ...after].map(([from]) => from).toSorted((one, other) => one - other)
  for (const [index, from] of instants.entries()) {
    const until = instants[index + 1] ?? Infinity
    const [offsetBefore, offsetAfter] = [offsetAt(before, from), offsetAt(after, from)]
    if (from === until || until <= now.getTime() || offsetBefore === offsetAfter) continue
    await client.query(
      `insert into booking_zone_changes (user_id, booking_id, start_time, timezone, offset_before)
       select b.user_id, b.id, b.start_time, $1, $2 from bookings b join profiles p on p.user_id = b.user_id
       where b.status = 'confirmed' and (b.timezone = $1 or p.timezone = $1) and b.start_time > $3 and b.start_time >= $4 and b.start_time < $5
       on conflict do nothing`,
      [timezone, offsetBefore, now, new Date(from), until === Infinity ? 'infinity' : new Date(until)],
    )
  }
}
