// Merges two contacts into one, as one change. The undo of this change takes them apart again.
import type { Comparison, MovedRecords } from '#contract/duplicates.ts'
import { mergeLabel, type Contact } from '#contract/contacts.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { RecordKind } from '#server/platform/records/kind.ts'
import { readRecord } from '#server/platform/records/rows.ts'
import type { Services } from '#server/platform/records/verbs.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { contacts } from '../kind.ts'
import { mergeValues, type Choices } from './merged-values.ts'
import {
  hasMoreLinks,
  insertDistinctPair,
  isBelow,
  lockContacts,
  moveConnection,
  moveLinksAndDelete,
  writeContact,
  type StoredContact,
} from './merge.store.ts'

type MergeRequest = {
  other_id: string
  fields: Choices
  version?: number | undefined
  other_version?: number | undefined
}

/** A merge that moves more rows is a large transaction, of which an owner runs only one at a time. */
const maxRowsOfSmallMerge = 50

/** The number of titles of moved records of one kind that a comparison shows. */
const maxTitles = 3

/**
 * Merges the contact `other_id` into the contact `id`: writes the chosen values, moves everything that refers to the other contact, and
 * deletes it. Throws `not_found`, `invalid` if both ids are the same, and `conflict` if the request has another version of a contact.
 */
export async function mergeContacts({ database }: Services, caller: Caller, id: string, request: MergeRequest): Promise<void> {
  const [contactId, otherId] = [id.toLowerCase(), request.other_id.toLowerCase()]
  refuseSame(contactId, otherId)
  const isLarge = await database.read(caller, () => hasMoreLinks(otherId, maxRowsOfSmallMerge))
  await database.longTransaction(caller, mergeLabel, isLarge ? 'large' : 'small', async () => {
    const { owner } = caller
    const { contact, other } = findBoth(await lockContacts(owner, [contactId, otherId]), contactId, otherId)
    refuseOtherVersion(contact, request.version)
    refuseOtherVersion(other, request.other_version)
    const merged = mergeValues(contact, other, request.fields)
    const manager = await chooseManager(owner, merged['reports_to_id'], contact, other)
    // the contact is written first, because the history shows the first row of a change
    await writeContact(owner, contactId, { ...merged, reports_to_id: manager })
    await moveLinksAndDelete(owner, contactId, otherId)
    if (contact.crm_connection_id === null && other.crm_connection_id !== null) await moveConnection(owner, contactId, other)
  })
}

/**
 * Stores that two contacts are not the same person, so that the pair is not listed again. Throws `not_found`, and `invalid` if both ids are
 * the same.
 */
export const dismissPair = ({ database }: Services, caller: Caller, id: string, otherId: string): Promise<void> =>
  database.transaction(caller, 'Kept 2 contacts apart', async () => {
    const [firstId, secondId] = [id.toLowerCase(), otherId.toLowerCase()]
    refuseSame(firstId, secondId)
    findBoth(await lockContacts(caller.owner, [firstId, secondId]), firstId, secondId)
    await insertDistinctPair(caller.owner, firstId, secondId)
  })

/**
 * Returns both contacts, and what a merge would move. `kinds` are all record kinds. Throws `not_found`, and `invalid` if both ids are the
 * same.
 */
export const compareContacts = (
  { database, kinds }: Services & { kinds: readonly RecordKind[] },
  caller: Caller,
  id: string,
  otherId: string,
): Promise<Comparison> =>
  database.read(caller, async () => {
    refuseSame(id.toLowerCase(), otherId.toLowerCase())
    const [contact, other, moves] = await Promise.all([
      readRecord<Contact>(contacts, caller.owner, id),
      readRecord<Contact>(contacts, caller.owner, otherId),
      Promise.all(kinds.flatMap((kind) => readMoves(kind, caller.owner, otherId))),
    ])
    return { contact, other, moves: moves.filter(({ count }) => count > 0) }
  })

/** Reads the records of a kind that refer to the contact, as one entry for all links of the kind, because a record may have several. */
function readMoves(
  { singular, plural, table, titleColumn, linksByConstraint }: RecordKind,
  owner: string,
  id: string,
): Promise<MovedRecords>[] {
  const fields = Object.values(linksByConstraint).flatMap(({ field, to }) => (to.table === contacts.table ? [field] : []))
  if (fields.length === 0) return []
  const where = `user_id = $1 and (${fields.map((field) => `${field} = $2`).join(' or ')})`
  const read = async (): Promise<MovedRecords> => {
    const [row] = await sql<{ count: number; titles: string[] }>(
      `select (select count(*) from ${table} where ${where}) as count,
         array(select left(${titleColumn}, 200) from ${table} where ${where} order by id desc limit ${maxTitles}) as titles`,
      [owner, id],
    )
    return { singular, plural, count: row?.count ?? 0, titles: row?.titles ?? [] }
  }
  return [read()]
}

/**
 * Returns the manager of the merged contact: the chosen one, unless it is one of the two contacts or reports to one of them. The contact
 * would then report to itself, so it gets no manager.
 */
async function chooseManager(owner: string, manager: unknown, contact: StoredContact, other: StoredContact): Promise<string | null> {
  if (typeof manager !== 'string') return null
  return (await isBelow(owner, manager, [contact.id, other.id])) ? null : manager
}

function refuseSame(id: string, otherId: string): void {
  if (id === otherId) throw new Refusal('invalid', { fields: { other_id: 'Choose two different contacts' } })
}

function findBoth(rows: ReadonlyMap<string, StoredContact>, id: string, otherId: string): { contact: StoredContact; other: StoredContact } {
  const [contact, other] = [rows.get(id), rows.get(otherId)]
  if (!contact) throw new Refusal('not_found')
  if (!other) throw new Refusal('not_found', { fields: { other_id: 'This contact is no longer here' } })
  return { contact, other }
}

function refuseOtherVersion(contact: StoredContact, version: number | undefined): void {
  if (version === undefined || contact.version === version) return
  throw new Refusal('conflict', { detail: 'One of these contacts was changed since you opened them. Look at both again.' })
}
