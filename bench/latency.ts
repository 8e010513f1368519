/** The latency of the requests of a single client. */
export type Latency = { p50Ms: number; p95Ms: number }

/** Measures the latency of work that is repeated after a warm-up. */
export async function measureLatency(times: number, work: () => Promise<unknown>): Promise<Latency> {
  const latencies: number[] = []
  for (let number = 0; number <= times; number++) {
    const started = performance.now()
    await work()
    if (number > 0) latencies.push(performance.now() - started) // the first request is a warm-up
  }
  const sorted = latencies.toSorted((a, b) => a - b)
  const quantile = (fraction: number): number => sorted[Math.ceil(sorted.length * fraction) - 1] ?? 0
  return { p50Ms: quantile(0.5), p95Ms: quantile(0.95) }
}
