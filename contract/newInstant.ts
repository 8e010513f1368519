import * as z from 'zod/mini'
import { Instant } from './records.ts'

/** Refuses an offset from UTC that PostgreSQL cannot read. */
export const hasUsableOffset = z.refine<string>(
  (text) => !/[+-](?:1[6-9]|2\d):\d\d$/.test(text),
  'Enter a time with an offset of less than 16 hours',
)

/**
 * A time that a client sends. In UTC, a time of the year 1 or 9999 may be in a year that PostgreSQL or clients cannot read. Responses have
 * `Instant`, because such times may have been stored by an earlier version.
 */
export const NewInstant = Instant.check(
  hasUsableOffset,
  z.refine((text) => !/^(?:000[01]|9999)/.test(text), 'Enter a time from the year 2 to 9998'),
)
