import { vi } from 'vitest'

/** Repeats the check until its result is truthy, and returns this result. Fails after 10 s; a test may run on a busy machine. */
export const waitUntil = <Result>(check: () => Result | Promise<Result>) => vi.waitUntil(check, { timeout: 10_000, interval: 10 })
