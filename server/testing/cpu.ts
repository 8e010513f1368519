/**
 * Runs the work and returns the CPU time in ms that this process used meanwhile. A limit of CPU time, unlike one of elapsed time, holds on a
 * busy machine too.
 */
export async function measureCpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
