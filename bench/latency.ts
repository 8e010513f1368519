/** The latency of the requests of a single client. */
export type Latency = { p50Ms: number; p95Ms: number }

/** Measures the latency of work that is repeated after a warm-up. `number` counts the repetitions; the warm-up is 0. */
export async function measureLatency(repetitions: number, work: (number: number) => Promise<unknown>): Promise<Latency> {
  const latencies: number[] = []
  for (let number = 0; number <= repetitions; number++) {
    const started = performance.now()
    await work(number)
    if (number > 0) latencies.push(performance.now() - started) // the first request is a warm-up
  }
  return { p50Ms: quantile(latencies, 0.5), p95Ms: quantile(latencies, 0.95) }
}

/** Returns the value at a fraction of the sorted values: the median for 0.5, the largest for 1. Returns 0 if there are no values. */
export function quantile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * fraction) - 1)] ?? 0
}
