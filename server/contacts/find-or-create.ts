import * as z from 'zod/mini'
import { NewContact } from '#contract/contacts.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { refuseUnstorable } from '#server/platform/http/body.ts'
import { checkInput } from '#server/platform/http/check.ts'
import { relabel } from '#server/platform/journal/label.ts'
import { formatCountLabel } from '#server/platform/records/bulk.ts'
import type { Fields } from '#server/platform/records/kind.ts'
import { withFieldErrors } from '#server/platform/records/rows.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { deriveColumns } from './derive.ts'
import { duplicatesSql, isDuplicate, lockMatchKeys, matchKeysOf, phoneKeys, readLowerCaseKeys, type MatchKeys } from './duplicates.ts'
import { contacts } from './kind.ts'

const ContactInput = z.omit(NewContact, { id: true, allow_duplicate: true })
export type ContactInput = z.input<typeof ContactInput>
type CheckedContact = z.output<typeof ContactInput>

/** The result for a contact of the list. `fields` has an error message for each invalid field. */
export type Outcome = Stored | Refused
type Stored = { status: 'created' | 'found'; id: string }
type Refused = { status: 'refused'; fields: Readonly<Record<string, string>> }

/**
 * A valid contact of the list, which is found in the table or else created with this `id`. `keys` are the values that the duplicate rule
 * compares. `outcome` is set when the contact was found or created.
 */
type Candidate = { id: string; columns: Fields; keys: MatchKeys; outcome?: Stored }

/** A list with more contacts is a large transaction, of which an owner runs only one at a time. */
const maxSmallList = 50

/**
 * Between the check of the links and the insert a linked record may be deleted. The list is then checked again, at most this many times.
 */
const maxAttempts = 5

/**
 * Finds each contact by the duplicate rule, or creates it. Duplicates within the list become one contact. The new contacts are one change
 * set. A list should have at most 10,000 contacts, because all of them are sent in one statement. Returns the outcomes in the order of
 * the list.
 */
export async function findOrCreateContacts(
  { database }: Pick<AppContext, 'database'>,
  caller: Caller,
  inputs: readonly ContactInput[],
): Promise<Outcome[]> {
  const checked = inputs.map(checkContact)
  for (let attempt = 1; ; attempt++) {
    try {
      return await findOrCreateChecked(database, caller, checked)
    } catch (error) {
      const isLinkDeleted = error instanceof Refusal && error.code === 'not_found'
      if (!isLinkDeleted || attempt === maxAttempts) throw error
    }
  }
}

/**
 * Finds or creates the contacts. `checked` has the result of `checkContact` for each. Throws `not_found` if a linked record is deleted at
 * the same time.
 */
async function findOrCreateChecked(
  database: AppContext['database'],
  caller: Caller,
  checked: readonly (CheckedContact | Refused)[],
): Promise<Outcome[]> {
  const valid = checked.flatMap((contact) => (isRefused(contact) ? [] : [contact]))
  const [derived, lowerCaseKeys, refuseMissingLinks] = await database.read(caller, () =>
    Promise.all([deriveColumns(caller.owner, valid), readLowerCaseKeys(valid), findMissingLinks(caller.owner, valid)]),
  )
  const candidateOf = new Map<object, Candidate>(
    valid.map((contact, index) => {
      const columns = { ...contacts.defaults, ...contact, ...derived[index] }
      return [contact, { id: newId(), columns, keys: { ...matchKeysOf(columns), ...lowerCaseKeys[index] } }]
    }),
  )
  const findFirstDuplicate = createDuplicateFinder()
  // for each contact of the list its refusal, or the candidate that stands for it and for its duplicates in the list
  const results = checked.map((contact) => {
    if (isRefused(contact)) return contact
    const candidate = candidateOf.get(contact)
    if (!candidate) throw new Error('A contact has no candidate')
    return refuseMissingLinks(contact) ?? findFirstDuplicate(candidate)
  })
  const candidates = [...new Set(results.flatMap((result) => (isRefused(result) ? [] : [result])))]
  await withFieldErrors(contacts, () => findOrInsert(database, caller, candidates))
  const reported = new Set<Candidate>()
  return results.map((result) => {
    if (isRefused(result)) return result
    if (!result.outcome) throw new Error('A contact was neither found nor created')
    // only the first of several duplicates in the list can be "created"
    if (reported.has(result)) return { ...result.outcome, status: 'found' }
    reported.add(result)
    return result.outcome
  })
}

const isRefused = (value: object): value is Refused => 'status' in value && value.status === 'refused'

function checkContact(contact: ContactInput): CheckedContact | Refused {
  try {
    refuseUnstorable(contact, '')
    return checkInput(ContactInput, contact)
  } catch (error) {
    if (error instanceof Refusal) return { status: 'refused', fields: error.extras.fields ?? {} }
    throw error
  }
}

/** Looks up the linked records of all contacts. Returns a function that refuses a contact with a link to a missing record. */
async function findMissingLinks(owner: string, list: readonly Fields[]): Promise<(contact: Fields) => Refused | undefined> {
  const links = await Promise.all(
    Object.values(contacts.linksByConstraint).map(async ({ field, to }) => {
      const ids = [...new Set(list.map((contact) => contact[field]).filter((id) => typeof id === 'string'))]
      if (ids.length === 0) return { field, to, missing: new Set<unknown>() }
      const rows = await sql<{ id: string }>(`select id from ${to.table} where user_id = $1 and id = any($2)`, [owner, ids])
      const existing = new Set(rows.map(({ id }) => id))
      return { field, to, missing: new Set<unknown>(ids.filter((id) => !existing.has(id.toLowerCase()))) }
    }),
  )
  return (contact) => {
    const broken = links.filter(({ field, missing }) => missing.has(contact[field]))
    if (broken.length === 0) return undefined
    return {
      status: 'refused',
      fields: Object.fromEntries(broken.map(({ field, to }) => [field, `This ${to.singular} is no longer here`])),
    }
  }
}

/**
 * Returns a function that is called for each candidate in the order of the list. It returns the first of its duplicates in the list, which
 * may be the candidate itself.
 */
function createDuplicateFinder(): (candidate: Candidate) => Candidate {
  const candidatesByKey = new Map<string, Candidate[]>()
  return (candidate) => {
    const { keys } = candidate
    const presentKeys = (['email_key', ...phoneKeys] as const).filter((name) => keys[name] !== '').map((name) => `${name} ${keys[name]}`)
    for (const key of presentKeys) {
      const earlier = candidatesByKey.get(key)?.find((other) => isDuplicate(other.keys, keys))
      if (earlier) return earlier
    }
    for (const key of presentKeys) candidatesByKey.set(key, [...(candidatesByKey.get(key) ?? []), candidate])
    return candidate
  }
}

/** Sets the outcome of each candidate, in a large transaction if there are many. */
async function findOrInsert(database: AppContext['database'], caller: Caller, candidates: readonly Candidate[]): Promise<void> {
  if (candidates.length === 0) return
  if (candidates.length === 1) await database.batch(caller, 'Added contact', () => findOrInsertOnce(caller.owner, candidates))
  else {
    const work = async (): Promise<void> => {
      const created = await findOrInsertOnce(caller.owner, candidates)
      if (created > 0) await relabel(formatCountLabel('Added', contacts, created))
    }
    if (candidates.length <= maxSmallList) await database.transaction(caller, 'Added contacts', work)
    else await database.longTransaction(caller, 'Added contacts', 'large', work)
  }
  // if a duplicate in the table is edited or deleted between `findSql` and `insertSql`, its candidate may be neither found nor created
  const unresolved = candidates.filter(({ outcome }) => !outcome)
  if (unresolved.length > 0) await findOrInsert(database, caller, unresolved)
}

// In the statements, `input` has the candidates, as a table of contacts that is made of JSON, and `c` is a contact in the table.
const inputKeys = {
  email_key: 'input.email_key',
  name: 'input.name',
  phone_key: 'input.phone_key',
  mobile_phone_key: 'input.mobile_phone_key',
}
const noEmailCondition = "(input.email_key = '' or c.email_key = '')"
const duplicates = duplicatesSql(inputKeys, noEmailCondition)
const columns = Object.keys(contacts.defaults)
const findSql = `select input.id, duplicate.id as "duplicateId" from json_populate_recordset(null::crm_contacts, $2) input
  cross join lateral (select id from (${duplicates}) duplicates limit 1) duplicate`
// `order by` makes PostgreSQL compare all contacts with the table before the first insert; otherwise it would also find the new rows
const insertSql = `insert into crm_contacts (user_id, id, ${columns.join(', ')})
  select $1, input.id, ${columns.map((column) => `input.${column}`).join(', ')}
  from json_populate_recordset(null::crm_contacts, $2) input where not exists (${duplicates})
  order by input.id returning id`

/** Locks, finds and inserts with three statements in one round trip, and sets the outcomes. Returns the number of created contacts. */
async function findOrInsertOnce(owner: string, candidates: readonly Candidate[]): Promise<number> {
  const rows = JSON.stringify(candidates.map((candidate) => ({ ...candidate.columns, ...candidate.keys, id: candidate.id })))
  const keys = candidates.map((candidate) => candidate.keys)
  const [, found, inserted] = await Promise.all([
    lockMatchKeys(owner, keys),
    sql<{ id: string; duplicateId: string }>(findSql, [owner, rows]),
    sql<{ id: string }>(insertSql, [owner, rows]),
  ])
  const duplicateIds = new Map(found.map(({ id, duplicateId }) => [id, duplicateId]))
  const created = new Set(inserted.map(({ id }) => id))
  for (const candidate of candidates) {
    const { id } = candidate
    const duplicateId = duplicateIds.get(id)
    if (created.has(id)) candidate.outcome = { status: 'created', id }
    else if (duplicateId !== undefined) candidate.outcome = { status: 'found', id: duplicateId }
  }
  return created.size
}
