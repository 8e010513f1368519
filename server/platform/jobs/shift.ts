import type { Bell } from './bell.ts'
import { runDueClocks } from './clocks.ts'
import type { Presence } from './presence.ts'
import { runJob } from './run.ts'
import { freeLostJobs, takeJob, type Room } from './store.ts'
import type { WorkerOptions } from './worker.ts'

/** What outlives the loss of a connection. */
export type Crew = Required<WorkerOptions> & {
  bell: Bell
  /** Jobs by their id, and clocks by their name. */
  running: Map<string, Promise<void>>
  ticking: Map<string, Promise<void>>
}

/** Works as long as the connection holds and nobody wants an end. */
export async function workShift(presence: Presence, crew: Crew, over: AbortSignal): Promise<void> {
  const { bell, log, now, roundMs } = crew
  over.addEventListener('abort', bell.ring)
  let nextRound = 0
  try {
    while (!over.aborted) {
      if (performance.now() >= nextRound) {
        nextRound = performance.now() + roundMs
        await freeLostJobs(presence.client, now())
        await runDueClocks(presence.client, crew, over)
      }
      await fillSlots(presence, crew, over)
      await bell.wait(roundMs)
    }
  } catch (error) {
    if (!over.aborted) log.error({ err: error }, 'jobs: looking for work failed')
  }
}

async function fillSlots({ client, worker }: Presence, crew: Crew, over: AbortSignal): Promise<void> {
  const { running, slots, tasks, now, bell } = crew
  for (let room = roomFor(running.size, slots); room && !over.aborted; room = roomFor(running.size, slots)) {
    // after a loss some may still be ending here, while their rows are free again
    const job = await takeJob(client, worker, now(), { tasks: Object.keys(tasks), except: [...running.keys()], room })
    if (!job) return
    const ended = runJob(job, worker, crew, over).finally(() => {
      running.delete(job.id)
      bell.ring()
    })
    running.set(job.id, ended)
  }
}

/**
 * While slots are free everybody may use them. When they are full, perhaps for minutes and by one owner, there are two more: one for
 * a task that its owner has none of running, and the last for an owner who has nothing running at all.
 */
function roomFor(running: number, slots: number): Room | undefined {
  if (running < slots) return { runningOfOwner: Infinity, runningOfTask: Infinity }
  if (running === slots) return { runningOfOwner: Infinity, runningOfTask: 0 }
  if (running === slots + 1) return { runningOfOwner: 0, runningOfTask: 0 }
  return undefined
}
