import * as z from 'zod/mini'
import { Instant } from './fields.ts'

/** Refuses an offset from UTC that PostgreSQL cannot read. */
export const hasUsableOffset = z.refine<string>(
  (text) => !/[+-](?:1[6-9]|2\d):\d\d$/.test(text),
  'Enter a time with an offset of less than 16 hours',
)

/**
 * A time that a client sends. The years 1 and 9999 are refused, because in UTC such a time may be in the year 0 or 10000, which PostgreSQL
 * or clients cannot read. Responses use `Instant`, because an earlier version may have stored such times.
 */
export const NewInstant = Instant.check(
  hasUsableOffset,
  z.refine((text) => !/^(?:000[01]|9999)/.test(text), 'Enter a time from the year 2 to 9998'),
)
