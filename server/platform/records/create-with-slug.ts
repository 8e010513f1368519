import { randomInt } from 'node:crypto'
import { maxSlugLength, toSlug } from '#contract/slugs.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { Row } from '#server/platform/database/batch.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { RecordKind } from './kind.ts'
import { createRecord, type NewRecord, type Services } from './verbs.ts'

/** The maximum number of slugs that are tried for a record without a chosen slug. */
const maxAttempts = 8

/**
 * Adds a record with a public address. Without a slug it gets one from its title, with a number or random letters at the end if another
 * record has it. Throws the error of the kind for a chosen slug that is taken. The unique index decides, so only one of two records that
 * are added at the same time gets the slug.
 */
export async function createWithSlug<R extends Row>(services: Services, caller: Caller, kind: RecordKind, record: NewRecord): Promise<R> {
  if (record['slug']) return createRecord<R>(services, caller, kind, record)
  const base = toSlug(String(record['title']))
  for (let attempt = 1; ; attempt++) {
    try {
      return await createRecord<R>(services, caller, kind, { ...record, slug: toCandidate(base, attempt) })
    } catch (error) {
      const isTaken = error instanceof Refusal && error.extras.fields?.['slug'] !== undefined
      if (!isTaken || attempt === maxAttempts) throw error
    }
  }
}

/**
 * Returns the slug of an attempt: `look`, `look-2`, then `look-` with random letters. If the base is empty, returns only random letters.
 */
function toCandidate(base: string, attempt: number): string {
  if (base === '') return createRandomText(10)
  if (attempt === 1) return base
  const suffix = attempt === 2 ? '2' : createRandomText(5)
  return `${base.slice(0, maxSlugLength - 1 - suffix.length).replace(/-$/, '')}-${suffix}`
}

/** Letters and digits that are not confused with each other. */
const characters = 'abcdefghjkmnpqrstuvwxyz23456789'

const createRandomText = (length: number): string => Array.from({ length }, () => characters.charAt(randomInt(characters.length))).join('')
