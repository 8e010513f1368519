import * as z from 'zod/mini'
import { kindNames } from './kinds.ts'
import { Passage } from './lists.ts'
import { wholeNumber } from './numbers.ts'
import { defineRoutes } from './route.ts'

/** The record whose page shows another record, such as the contact of a note. */
export const ParentRecord = z.object({ kind: z.enum(kindNames), id: z.uuid() })
export type ParentRecord = z.infer<typeof ParentRecord>

/** A record that a search found. `detail` distinguishes records with the same title. */
export const Hit = z.object({
  kind: z.enum(kindNames),
  id: z.uuid(),
  title: z.string(),
  detail: z.string(),
  /** The part of the record's text with the searched words, if only the text has them. */
  passage: z.optional(Passage),
  /** Null if this record has its own page. */
  parent: z.nullable(ParentRecord),
})
export type Hit = z.infer<typeof Hit>

export const searchRoutes = defineRoutes({
  search: {
    method: 'GET',
    path: '/api/search',
    summary:
      'Records of every kind or of one, best match first. Matches parts of words, ignores case and accents, and allows one typo in words of five letters or more. Finds files also by words of their text',
    caller: 'user',
    changes: 'nothing',
    query: z.strictObject({
      search: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
      /** Finds only records of this kind. */
      kind: z.optional(z.enum(kindNames)),
      limit: z._default(wholeNumber({ min: 1, max: 50 }), 12),
    }),
    out: z.object({ hits: z.array(Hit) }),
    example: { query: { search: 'ada' } },
  },
})
