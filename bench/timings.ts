// Measures the latency of a few actions for a single client. Each action is one request and has a goal in ms.
import { readDashboard, searchInPalette } from './large-owner.ts'
import { measureLatency, type Latency } from './latency.ts'
import type { BenchData, Owner } from './owners.ts'

/** The latency of an action for a single client. `goalMs` is the goal for `p95Ms`. */
export type Timing = Latency & { name: string; goalMs: number }

type TimingData = BenchData & { largeOwner: Owner }
/** An action runs once as a warm-up, and then `repetitions` more times. `number` counts the runs from 0. */
type TimedAction = {
  name: string
  goalMs: number
  repetitions: number
  run: (url: string, data: TimingData, number: number) => Promise<void>
}

const timedActions: TimedAction[] = [
  { name: 'palette', goalMs: 50, repetitions: 200, run: (url, { largeOwner }, number) => searchInPalette(url, largeOwner, number) },
  { name: 'dashboard', goalMs: 40, repetitions: 100, run: (url, { largeOwner }) => readDashboard(url, largeOwner) },
  { name: 'bulk edit', goalMs: 1500, repetitions: 20, run: bulkEdit },
]

/** Measures all actions. Sends one request at a time; the first request of each action is a warm-up and does not count. */
export async function measureTimings(url: string, data: TimingData): Promise<Timing[]> {
  const timings: Timing[] = []
  for (const { name, goalMs, repetitions, run } of timedActions) {
    console.error(`Measuring ${name} ...`)
    timings.push({ name, goalMs, ...(await measureLatency(repetitions, (number) => run(url, data, number))) })
  }
  return timings
}

/** Sets the city of 10,000 contacts, as one change. */
async function bulkEdit(url: string, { bulkOwner }: BenchData, number: number): Promise<void> {
  const response = await fetch(`${url}/api/contacts/bulk/edit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${bulkOwner.token}` },
    body: JSON.stringify({ matching: {}, fields: { mailing_city: `Millgate ${number}` } }),
  })
  if (!response.ok) throw new Error(`The edit returned ${response.status}`)
}
