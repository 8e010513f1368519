// When a time becomes free, sends a mail to the visitors who wait for it. Triggers add the job when bookings or links change, and it runs a
// minute later; a schedule adds it for everything else that frees times.
import * as z from 'zod/mini'
import { addMail } from '#server/outbox/outbox.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { defineJobType } from '#server/platform/jobs/enqueue.ts'
import { createJobHandler, type JobHandler } from '#server/platform/jobs/handler.ts'
import { toLocalTime } from '#server/platform/time/local-time.ts'
import { readPublicLink, type PublicLink } from './links.store.ts'
import { withOwner } from './mails.ts'
import { endOf, formatTimezone, formatWhen, readOffered } from './offered.ts'
import { signWaitingEmail } from './tokens.ts'
import { listWaits, setKnownTimes, setMailed, type Wait } from './waits.store.ts'

/** The function `note_waited_change` of the triggers, and `enqueueWaitJobs`, add these jobs. */
const waitJob = defineJobType('booking waits', z.object({}))

type Services = Pick<AppContext, 'database' | 'mail' | 'settings' | 'installationKey' | 'now'>

/** Visitors wait for at most this number of days. */
const maxWaitDays = 7
const maxTimesInMail = 5

/** Creates the handler of the jobs that compare the free times with those that each visitor knows, and mail the new ones once. */
export function createWaitJobHandler(services: Services): JobHandler {
  const { database, now } = services
  return createJobHandler(waitJob, async ({ caller }, signal) => {
    const waits = await database.read(caller, () => listWaits(caller.owner, now()))
    const readFree = createFreeTimesReader(services, caller)
    for (const wait of waits) {
      signal.throwIfAborted() // the job is repeated, so that the other waits are read too
      const found = await readFree(wait)
      if (!found) continue
      const known = new Set(wait.known_times)
      const newStarts = found.starts.filter((start) => !known.has(start))
      if (newStarts.length > 0) await mailFreeTimes(services, caller, { wait, link: found.link, starts: newStarts })
      // a known time that was taken is forgotten, so that it is new when it becomes free again
      else if (found.starts.length < known.size)
        await database.transaction(caller, 'Waits for a time', () => setKnownTimes(caller.owner, wait.id, found.starts))
    }
  })
}

type NewTimes = { wait: Wait; link: PublicLink; starts: readonly number[] }
type FreeTimes = { link: PublicLink; starts: number[] }

/** Returns a function that reads the free times for a wait, once for equal waits; it returns undefined for a deleted or inactive link. */
function createFreeTimesReader({ database, now }: Services, caller: Caller): (wait: Wait) => Promise<FreeTimes | undefined> {
  const reads = new Map<string, Promise<FreeTimes | undefined>>()
  const read = ({ booking_link_id: id, timezone, first_day: from, from_time, until_time }: Wait): Promise<FreeTimes | undefined> =>
    database.read(caller, async () => {
      const link = await readPublicLink(caller.owner, id)
      if (!link?.is_active) return undefined
      const { days } = await readOffered({ link, timezone, now: now(), from, days: maxWaitDays })
      const starts = days.flatMap(({ times }) => times.map(({ start_time: start }) => Date.parse(start)))
      return { link, starts: starts.filter((start) => start >= Date.parse(from_time) && start < Date.parse(until_time)) }
    })
  return (wait) => {
    // `from_time` and `until_time` follow from the days and the time zone
    const key = [wait.booking_link_id, wait.timezone, wait.first_day, wait.last_day].join(' ')
    const started = reads.get(key) ?? read(wait)
    reads.set(key, started)
    return started
  }
}

/** Adds the mail and ends the wait in one transaction, so that a crash neither loses nor repeats the mail. */
const mailFreeTimes = ({ database, mail, settings, installationKey, now }: Services, caller: Caller, { wait, link, starts }: NewTimes) =>
  database.transaction(caller, 'Mailed free times', async () => {
    if (!(await setMailed(caller.owner, wait.id, now()))) return
    const stopAddress = `${settings.address}/booking/wait/${signWaitingEmail(installationKey, { owner: caller.owner, emailHash: wait.email_hash })}`
    await addMail(mail, caller.owner, {
      to: wait.email,
      subject: `A time is free: ${link.title}`,
      text: toText(settings.address, stopAddress, { wait, link, starts }),
      about: { kind: 'booking link', id: wait.booking_link_id },
      expiresAt: new Date(wait.until_time),
    })
  })

/** The mail has no text that a visitor has written, because anybody can enter the address of somebody else. */
function toText(address: string, stopAddress: string, { wait: { timezone }, link, starts }: NewTimes): string {
  const [first = 0] = starts
  const { date } = toLocalTime(timezone, first)
  const times = starts.slice(0, maxTimesInMail).map((start) => formatWhen(timezone, start, endOf(link, start)))
  const others = starts.length - times.length
  return `You asked to be told when a time${withOwner(link.owner_name)} is free.

${link.title}
${times.join('\n')}
${others > 0 ? `and ${others} more\n` : ''}(${formatTimezone(timezone, first)})

The first who books it gets it: ${address}/book/${link.slug}?${new URLSearchParams({ timezone, date }).toString()}

You get no other mail about these days. To stop all mails about free times: ${stopAddress}
`
}
