// Measures requests whose latency for a single client matters. Each has a goal in ms.
import { readDashboard, searchInPalette } from './large-owner.ts'
import type { BenchData, Owner } from './owners.ts'

/** The latency for a single client. The goal is for the 95th percentile. */
export type Timing = { name: string; p50Ms: number; p95Ms: number; goalMs: number }

type All = BenchData & { largeOwner: Owner }
type TimedAction = { name: string; goalMs: number; times: number; run: (url: string, data: All, number: number) => Promise<void> }

const timedActions: TimedAction[] = [
  { name: 'palette', goalMs: 50, times: 200, run: (url, { largeOwner }, number) => searchInPalette(url, largeOwner, number) },
  { name: 'dashboard', goalMs: 40, times: 100, run: (url, { largeOwner }) => readDashboard(url, largeOwner) },
  { name: 'bulk edit', goalMs: 1500, times: 20, run: bulkEdit },
]

/** Sends one request at a time. The first one of each action is a warm-up and does not count. */
export async function measureTimings(url: string, data: All): Promise<Timing[]> {
  const found: Timing[] = []
  for (const { name, goalMs, times, run } of timedActions) {
    console.error(`Measuring ${name} ...`)
    const latenciesMs: number[] = []
    for (let number = 0; number <= times; number++) {
      const started = performance.now()
      await run(url, data, number)
      if (number > 0) latenciesMs.push(performance.now() - started)
    }
    const sorted = latenciesMs.toSorted((a, b) => a - b)
    const at = (part: number): number => sorted[Math.ceil(sorted.length * part) - 1] ?? 0
    found.push({ name, p50Ms: at(0.5), p95Ms: at(0.95), goalMs })
  }
  return found
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
