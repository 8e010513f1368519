import * as z from 'zod/mini'
import { NewContact } from '#contract/contacts.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { checkInput } from '#server/platform/http/check.ts'
import { relabel } from '#server/platform/journal/label.ts'
import { countedLabel } from '#server/platform/records/bulk.ts'
import type { Fields } from '#server/platform/records/kind.ts'
import { withFieldErrors } from '#server/platform/records/rows.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { deriveColumns } from './derive.ts'
import { identityOf, isDuplicate, lockIdentities, matchesSql, phoneKeys, type Identity } from './duplicates.ts'
import { contacts } from './kind.ts'

const GivenContact = z.omit(NewContact, { id: true, allow_duplicate: true })
export type GivenContact = z.input<typeof GivenContact>

/** The result for a given contact. `fields` has a sentence for each wrong field. */
export type Outcome = Identified | Refused
type Identified = { status: 'created' | 'found'; id: string }
type Refused = { status: 'refused'; fields: Readonly<Record<string, string>> }

/** A contact to be found or created under this id, and whether it was created. */
type Candidate = { id: string; columns: Fields; identity: Identity; outcome?: Identified }

/** Lists with at most this number of contacts run in parallel with other requests of the owner. */
const maxSmall = 50

/**
 * Finds each contact by the duplicate rule, or creates it. Duplicates within the list become one contact. At most 10,000 contacts are
 * written as one change set with a few statements. Returns the outcomes in the order of the list.
 */
export async function findOrCreateContacts(
  { database }: Pick<AppContext, 'database'>,
  caller: Caller,
  given: readonly GivenContact[],
): Promise<Outcome[]> {
  const checked = given.map(checkContact)
  const valid = checked.flatMap((each) => (isRefused(each) ? [] : [each]))
  const [derived, refuseMissing] = await database.read(caller, () =>
    Promise.all([deriveColumns(caller.owner, valid), findMissingLinks(caller.owner, valid)]),
  )
  const columnsOf = new Map(valid.map((contact, index) => [contact, { ...contacts.defaults, ...contact, ...derived[index] }]))
  const group = createGroups()
  const results = checked.map((contact) => {
    if (isRefused(contact)) return contact
    return refuseMissing(contact) ?? group(columnsOf.get(contact) ?? {})
  })
  const candidates = [...new Set(results.flatMap((result) => (isRefused(result) ? [] : [result])))]
  await withFieldErrors(contacts, () => findOrInsert(database, caller, candidates))
  const reported = new Set<Candidate>()
  return results.map((result) => {
    if (isRefused(result)) return result
    if (!result.outcome) throw new Error('A contact was neither found nor created')
    if (!reported.has(result)) {
      reported.add(result)
      return result.outcome
    }
    return { ...result.outcome, status: 'found' }
  })
}

const isRefused = (value: object): value is Refused => 'status' in value && value.status === 'refused'

function checkContact(contact: GivenContact): z.output<typeof GivenContact> | Refused {
  try {
    return checkInput(GivenContact, contact)
  } catch (error) {
    if (error instanceof Refusal) return { status: 'refused', fields: error.extras.fields ?? {} }
    throw error
  }
}

/** Returns a function that refuses a contact with a link to a missing record. */
async function findMissingLinks(owner: string, given: readonly Fields[]): Promise<(contact: Fields) => Refused | undefined> {
  const links = await Promise.all(
    Object.values(contacts.links).map(async ({ field, to }) => {
      const ids = [...new Set(given.map((contact) => contact[field]).filter((id) => typeof id === 'string'))]
      if (ids.length === 0) return { field, to, missing: new Set<unknown>() }
      const found = await sql<{ id: string }>(`select id from ${to.table} where user_id = $1 and id = any($2)`, [owner, ids])
      const known = new Set(found.map(({ id }) => id))
      return { field, to, missing: new Set<unknown>(ids.filter((id) => !known.has(id.toLowerCase()))) }
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

/** Returns a function that maps each contact to the candidate of its first duplicate earlier in the list, or to a new candidate. */
function createGroups(): (columns: Fields) => Candidate {
  const byKey = new Map<string, Candidate[]>()
  return (columns) => {
    const identity = identityOf(columns)
    const keys = (['email_key', ...phoneKeys] as const).filter((key) => identity[key] !== '').map((key) => `${key} ${identity[key]}`)
    for (const key of keys) {
      const first = byKey.get(key)?.find((candidate) => isDuplicate(candidate.identity, identity))
      if (first) return first
    }
    const candidate = { id: newId(), columns, identity }
    for (const key of keys) {
      const others = byKey.get(key)
      if (others) others.push(candidate)
      else byKey.set(key, [candidate])
    }
    return candidate
  }
}

/** Sets the outcome of each candidate. */
async function findOrInsert(database: AppContext['database'], caller: Caller, candidates: readonly Candidate[]): Promise<void> {
  const [first] = candidates
  if (!first) return
  if (candidates.length === 1) await database.batch(caller, 'Added contact', () => findOrInsertOnce(caller.owner, candidates))
  else {
    const work = async (): Promise<void> => {
      const created = await findOrInsertOnce(caller.owner, candidates)
      if (created > 0) await relabel(countedLabel('Added', contacts, created))
    }
    if (candidates.length <= maxSmall) await database.transaction(caller, 'Added contacts', work)
    else await database.longTransaction(caller, 'Added contacts', 'large', work)
  }
  // a contact that was edited or deleted between the two statements may be neither found nor created
  const rest = candidates.filter(({ outcome }) => !outcome)
  if (rest.length > 0) await findOrInsert(database, caller, rest)
}

const givenSql = {
  email_key: 'given.email_key',
  name: 'given.name',
  phone_key: 'given.phone_key',
  mobile_phone_key: 'given.mobile_phone_key',
}
const matches = matchesSql(givenSql, "(given.email_key = '' or c.email_key = '')")
const columns = Object.keys(contacts.defaults)
const findSql = `select given.id, matching.id as found from json_populate_recordset(null::crm_contacts, $2) given
  cross join lateral (select id from (${matches}) matches limit 1) matching`
// sorted, so that all contacts are compared with the table before the first insert; an index scan would also see the new rows
const insertSql = `insert into crm_contacts (user_id, id, ${columns.join(', ')})
  select $1, given.id, ${columns.map((column) => `given.${column}`).join(', ')}
  from json_populate_recordset(null::crm_contacts, $2) given where not exists (${matches})
  order by given.id returning id`

/** Sends three statements in one round trip. Returns the number of created contacts. */
async function findOrInsertOnce(owner: string, candidates: readonly Candidate[]): Promise<number> {
  const rows = JSON.stringify(candidates.map((candidate) => ({ ...candidate.columns, ...candidate.identity, id: candidate.id })))
  const [, found, inserted] = await Promise.all([
    lockIdentities(
      owner,
      candidates.map(({ identity }) => identity),
    ),
    sql<{ id: string; found: string }>(findSql, [owner, rows]),
    sql<{ id: string }>(insertSql, [owner, rows]),
  ])
  const foundIds = new Map(found.map((row) => [row.id, row.found]))
  const created = new Set(inserted.map(({ id }) => id))
  for (const candidate of candidates) {
    const { id } = candidate
    const foundId = foundIds.get(id)
    if (created.has(id)) candidate.outcome = { status: 'created', id }
    else if (foundId !== undefined) candidate.outcome = { status: 'found', id: foundId }
  }
  return created.size
}
