// What counts alone, with one caller who waits for it: each a line of the table, with a goal in milliseconds.
import { askDashboard, askPalette } from './large.ts'
import type { Filled, Owner } from './people.ts'

/** `p50Ms` and `p95Ms` of how long one caller waits. The goal is for the latter. */
export type Timing = { name: string; p50Ms: number; p95Ms: number; goalMs: number }

type All = Filled & { large: Owner }
type Timed = { name: string; goalMs: number; times: number; run: (url: string, filled: All, number: number) => Promise<void> }

const timed: Timed[] = [
  { name: 'palette', goalMs: 50, times: 200, run: (url, { large }, number) => askPalette(url, large, number) },
  { name: 'dashboard', goalMs: 50, times: 100, run: (url, { large }) => askDashboard(url, large) },
  { name: 'bulk edit', goalMs: 2000, times: 20, run: editMany },
]

/** One after the other; the first time of each warms up and does not count. */
export async function measureTimings(url: string, filled: All): Promise<Timing[]> {
  const found: Timing[] = []
  for (const { name, goalMs, times, run } of timed) {
    console.error(`Measuring ${name} ...`)
    const latenciesMs: number[] = []
    for (let number = 0; number <= times; number++) {
      const asked = performance.now()
      await run(url, filled, number)
      if (number > 0) latenciesMs.push(performance.now() - asked)
    }
    const sorted = latenciesMs.toSorted((a, b) => a - b)
    const at = (part: number): number => sorted[Math.ceil(sorted.length * part) - 1] ?? 0
    found.push({ name, p50Ms: at(0.5), p95Ms: at(0.95), goalMs })
  }
  return found
}

/** Ten thousand contacts get another city, as one change. */
async function editMany(url: string, { crowded }: Filled, number: number): Promise<void> {
  const answer = await fetch(`${url}/api/contacts/bulk/edit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${crowded.token}` },
    body: JSON.stringify({ matching: {}, fields: { mailing_city: `Millgate ${number}` } }),
  })
  if (!answer.ok) throw new Error(`The edit was answered with ${answer.status}`)
}
