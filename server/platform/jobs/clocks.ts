import type pg from 'pg'
import type { Crew } from './shift.ts'
import { clocksAtRest, winClock } from './store.ts'
import type { Clock } from './worker.ts'

/** Starts what is due, as far as no other process was first and no earlier run of ours goes on. */
export async function runDueClocks(client: pg.Client, { clocks, ticking, log, now }: Crew, over: AbortSignal): Promise<void> {
  const atRest = await clocksAtRest(client, now())
  for (const clock of clocks) {
    if (atRest.includes(clock.name) || ticking.has(clock.name)) continue
    if (!(await winClock(client, clock.name, now(), nextDue(clock, now())))) continue
    const ended = run(clock).finally(() => ticking.delete(clock.name))
    ticking.set(clock.name, ended)
  }

  async function run({ name, run: tick }: Clock): Promise<void> {
    try {
      await tick(over)
    } catch (error) {
      log.error({ err: error, clock: name }, 'clocks: failed')
    }
  }
}

function nextDue({ everySeconds }: Clock, now: Date): Date {
  const everyMs = everySeconds * 1000
  return new Date((Math.floor(now.getTime() / everyMs) + 1) * everyMs)
}
