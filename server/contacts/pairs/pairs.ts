// Lists pairs of contacts that are likely the same person.
import { setImmediate } from 'node:timers/promises'
import { maxPairs, PairedContact, type Pair } from '#contract/duplicates.ts'
import { sql, type Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { readCandidates, type Candidate } from './candidates.store.ts'
import { ratePair, type Rating } from './rate-pair.ts'

type PairedContact = Pair['contact']
type RatedPair = { ids: readonly [string, string]; rating: Rating }

/** A name that more contacts have says too little on its own. */
const maxContactsOfRareName = 3

/** After this number of comparisons other requests get their turn. */
const comparisonsPerTurn = 500

/**
 * Returns the pairs with the highest certainty, at most `maxPairs`. `more` is true if there are more. Of a pair the contact with the higher
 * number of values comes first, because a merge keeps it by default.
 */
export async function findPairs(database: Database, caller: Caller): Promise<{ rows: Pair[]; more: boolean }> {
  const candidates = await database.read(caller, () => readCandidates(caller.owner))
  const ratedPairs = await rateAll(candidates)
  const shownPairs = ratedPairs.toSorted((a, b) => b.rating.score - a.rating.score).slice(0, maxPairs)
  const contacts = await database.read(caller, () => readContacts(caller.owner, [...new Set(shownPairs.flatMap(({ ids }) => ids))]))
  const rows = shownPairs.flatMap(({ ids: [one, other], rating: { certainty, reasons, why } }) => {
    const [first, second] = [contacts.get(one), contacts.get(other)]
    if (!first || !second) return [] // it was deleted between the two reads
    const sorted = first.filled >= second.filled ? { contact: first, other: second } : { contact: second, other: first }
    return [{ ...sorted, certainty, reasons, why } satisfies Pair]
  })
  return { rows, more: ratedPairs.length > maxPairs }
}

async function rateAll(candidates: readonly Candidate[]): Promise<RatedPair[]> {
  const ratedPairs: RatedPair[] = []
  for (const [index, { one, other, name_count }] of candidates.entries()) {
    if (index % comparisonsPerTurn === comparisonsPerTurn - 1) await setImmediate()
    const rating = ratePair(one, other, name_count !== null && name_count <= maxContactsOfRareName)
    if (rating) ratedPairs.push({ ids: [one.id, other.id], rating })
  }
  return ratedPairs
}

/** Reads the contacts by id, with the number of their values. */
async function readContacts(owner: string, ids: readonly string[]): Promise<Map<string, PairedContact & { filled: number }>> {
  const rows = await sql<PairedContact & { filled: number }>(
    `select ${Object.keys(PairedContact.shape).join(', ')},
       num_nonnulls(nullif(email, ''), nullif(phone, ''), nullif(mobile_phone, ''), nullif(company, ''), nullif(title, ''),
         nullif(mailing_street, ''), nullif(mailing_city, ''), nullif(description, ''), reports_to_id) as filled
     from crm_contacts where user_id = $1 and id = any ($2)`,
    [owner, ids],
  )
  return new Map(rows.map((row) => [row.id, row]))
}
