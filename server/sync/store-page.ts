// Stores a page of contacts of another CRM. A contact that was synced before gets only the values that changed in the other CRM since then,
// so that an edit here is not overwritten by a value that is unchanged there (docs/decisions/0029-crm-sync.md).
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import { syncedValuesKey } from '#contract/contacts.ts'
import { storeContacts, type ContactToStore, type StoreResult } from '#server/contacts/contacts.ts'
import { sql } from '#server/platform/database/database.ts'
import type { RemoteContact } from './connector.ts'
import type { SyncCounts } from './syncs.store.ts'

/** A contact here that comes from the connection. `synced`: its values in the other CRM at the last sync. */
type LinkedContact = { external_id: string; first_name: string; last_name: string; synced: unknown }
type Outcome = { status: 'created' | 'updated' | 'unchanged' } | { status: 'skipped' | 'failed'; reason: string }

const SyncedValues = z.looseObject({ tags: z.optional(z.array(z.string())) })

/** Returns why a contact is refused, in a sentence. */
function describeRefusal({ fields }: Extract<StoreResult, { status: 'refused' }>): string {
  const [[field, sentence] = ['', 'It cannot be stored']] = Object.entries(fields)
  return field === 'last_name' ? 'It has no name, no email and no phone number.' : `${sentence}.`
}

/**
 * Stores the contacts in the open transaction, each with the id of the connection and its id in the other CRM. `contacts` has no id twice.
 * Returns how many were created, updated and so on.
 */
export async function storePage(owner: string, connectionId: string, contacts: readonly RemoteContact[]): Promise<SyncCounts> {
  await linkAgain(owner, connectionId, contacts)
  const linked = await lockLinked(owner, connectionId, contacts)
  const toUpdate = contacts.filter(({ id }) => linked.has(id))
  const toAdd = contacts.filter(({ id }) => !linked.has(id))
  const outcomes = new Map<string, Outcome>([
    ...(await updateLinked(owner, connectionId, toUpdate, linked)),
    ...(await addOrLink(owner, connectionId, toAdd)),
  ])
  const counts: SyncCounts = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0, reasons: [] }
  for (const contact of contacts) {
    const outcome = outcomes.get(contact.id)
    if (!outcome) throw new Error('A contact has no outcome')
    counts[outcome.status]++
    if ('reason' in outcome) counts.reasons.push({ external_id: contact.id, name: nameOf(contact), reason: outcome.reason })
  }
  return counts
}

/**
 * Links the contacts of a connection that was deleted, when the same CRM is connected again. Two accounts may use the same id for different
 * contacts, so the name or the email must be the same too. If two deleted connections have copied the same contact, links only the older
 * copy, because a sync compares the contact in the CRM with the values of one contact here.
 */
async function linkAgain(owner: string, connectionId: string, contacts: readonly RemoteContact[]): Promise<void> {
  await sql(
    `update crm_contacts c set crm_connection_id = $2
     from (
       select distinct on (unlinked.external_id) unlinked.id
       from crm_contacts unlinked join unnest($3::text[], $4::jsonb[]) as remote (external_id, fields) using (external_id)
       where unlinked.user_id = $1 and unlinked.crm_connection_id is null and unlinked.raw_data ? '${syncedValuesKey}'
         and unlinked.external_id = any($3)
         and (unlinked.raw_data -> '${syncedValuesKey}' ->> 'email' = remote.fields ->> 'email'
           or (unlinked.raw_data -> '${syncedValuesKey}' ->> 'last_name' = remote.fields ->> 'last_name'
             and coalesce(unlinked.raw_data -> '${syncedValuesKey}' ->> 'first_name', '') = coalesce(remote.fields ->> 'first_name', '')))
         and not exists (select from crm_contacts other where other.user_id = $1 and other.crm_connection_id = $2
           and other.external_id = remote.external_id)
       order by unlinked.external_id, unlinked.created_at, unlinked.id
     ) oldest
     where c.user_id = $1 and c.id = oldest.id and c.crm_connection_id is null`,
    [owner, connectionId, contacts.map(({ id }) => id), contacts.map(({ fields }) => JSON.stringify(fields))],
  )
}

async function lockLinked(owner: string, connectionId: string, contacts: readonly RemoteContact[]): Promise<Map<string, LinkedContact>> {
  const rows = await sql<LinkedContact>(
    `select external_id, first_name, last_name, raw_data -> '${syncedValuesKey}' as synced from crm_contacts
     where user_id = $1 and crm_connection_id = $2 and external_id = any($3) order by id for no key update`,
    [owner, connectionId, contacts.map(({ id }) => id)],
  )
  return new Map(rows.map((row) => [row.external_id, row]))
}

/** Updates the contacts that were synced before. */
async function updateLinked(
  owner: string,
  connectionId: string,
  contacts: readonly RemoteContact[],
  linked: ReadonlyMap<string, LinkedContact>,
): Promise<[string, Outcome][]> {
  const updates = contacts.map((contact) => ({ ...toSyncColumns(connectionId, contact), ...findChanges(contact, linked.get(contact.id)) }))
  const results = updates.length === 0 ? [] : await storeContacts(owner, updates, 'update')
  return contacts.map(({ id }, index) => {
    const result = results[index]
    if (result?.status === 'refused') return [id, { status: 'failed', reason: describeRefusal(result) }]
    return [id, { status: result?.status === 'updated' ? 'updated' : 'unchanged' }]
  })
}

/** Returns the fields that changed in the other CRM since the last sync, and the name here, because a contact needs a name. */
function findChanges({ fields, tags }: RemoteContact, linked: LinkedContact | undefined): ContactToStore {
  const synced = SyncedValues.safeParse(linked?.synced).data ?? {}
  const changed = Object.fromEntries(Object.entries(fields).filter(([name, value]) => !isDeepStrictEqual(synced[name], value)))
  const newTags = tags.filter((tag) => !synced.tags?.includes(tag))
  return { first_name: linked?.first_name ?? '', last_name: linked?.last_name ?? '', ...changed, tags: newTags }
}

/**
 * Creates contacts, or links them to the contacts here that the duplicate rule finds. Skips a contact if the contact that was found is
 * already linked to another contact of a CRM, because the two would overwrite each other.
 */
async function addOrLink(owner: string, connectionId: string, contacts: readonly RemoteContact[]): Promise<[string, Outcome][]> {
  if (contacts.length === 0) return []
  const newContacts = contacts.map((contact): ContactToStore => ({
    ...contact.fields,
    tags: contact.tags,
    ...toSyncColumns(connectionId, contact),
  }))
  const results = await storeContacts(owner, newContacts, 'create')
  const foundIds = results.flatMap((result) => (result.status === 'found' ? [result.id] : []))
  const externalIdById = await readIdsOfCrms(owner, foundIds)
  const outcomes: [string, Outcome][] = []
  const indexesToLink: number[] = []
  for (const [index, { id }] of contacts.entries()) {
    const result = results[index]
    if (result?.status === 'created') outcomes.push([id, { status: 'created' }])
    else if (result?.status === 'refused') outcomes.push([id, { status: 'failed', reason: describeRefusal(result) }])
    else if (result?.status !== 'found') throw new Error('A contact has no outcome')
    else if (externalIdById.has(result.id))
      outcomes.push([id, { status: 'skipped', reason: describeDuplicate(externalIdById.get(result.id)) }])
    else {
      externalIdById.set(result.id, id)
      indexesToLink.push(index)
    }
  }
  const linkedResults =
    indexesToLink.length === 0
      ? []
      : await storeContacts(
          owner,
          indexesToLink.flatMap((index) => newContacts[index] ?? []),
          'both',
        )
  for (const [position, index] of indexesToLink.entries()) {
    const status = linkedResults[position]?.status
    if (status === 'refused') throw new Error('A contact that was found is refused')
    outcomes.push([contacts[index]?.id ?? '', { status: status === 'created' ? 'created' : 'updated' }])
  }
  return outcomes
}

/** Returns the id in its CRM of each contact that comes from a CRM, by the id of the contact. */
async function readIdsOfCrms(owner: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await sql<{ id: string; external_id: string }>(
    'select id, external_id from crm_contacts where user_id = $1 and id = any($2) and crm_connection_id is not null',
    [owner, ids],
  )
  return new Map(rows.map(({ id, external_id }) => [id, external_id]))
}

const describeDuplicate = (otherId = ''): string =>
  `It is the same person as the contact with the number ${otherId}, which is here already.`

const toSyncColumns = (connectionId: string, { id, fields, tags, details }: RemoteContact) => ({
  external_id: id,
  crm_connection_id: connectionId,
  raw_data: { ...details, [syncedValuesKey]: { ...fields, tags } },
})

const nameOf = ({ fields }: RemoteContact): string =>
  [fields.first_name, fields.last_name].filter(Boolean).join(' ') || fields.email || fields.phone || ''
