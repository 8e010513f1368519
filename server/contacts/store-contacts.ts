import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { ContactFields } from '#contract/contacts.ts'
import { isInvisible, singleLineText, tagLimits } from '#contract/fields.ts'
import { joinTags } from '#contract/tags.ts'
import { sql } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { refuseUnstorable } from '#server/platform/http/body.ts'
import { checkInput } from '#server/platform/http/check.ts'
import type { Fields } from '#server/platform/records/kind.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { deriveColumns } from './derive.ts'
import { createContactSearch, storedColumns, type ContactSearch, type RowAccess } from './contact-search.ts'
import { matchKeysOf, readLowerCaseKeys } from './duplicates.ts'
import { contacts } from './kind.ts'
import { createContactMatcher, type IncomingContact, type MatchedContact } from './matching.ts'

/**
 * A contact from a source such as a file, a form or another CRM. Unlike a contact that a user adds, it may have only one name or no name,
 * and any lead source. `external_id` is its id in the CRM `crm_connection_id`.
 */
const ContactToStore = z.partial(
  z.strictObject({
    ...ContactFields.shape,
    first_name: singleLineText(100),
    last_name: singleLineText(100),
    lead_source: singleLineText(200),
    raw_data: z.record(z.string(), z.unknown()),
    external_id: z.string().check(z.minLength(1), z.maxLength(200)),
    crm_connection_id: z.uuid(),
  }),
)
export type ContactToStore = z.input<typeof ContactToStore>
type CheckedContact = z.output<typeof ContactToStore>

/**
 * `create` does not change existing contacts, `update` creates no contacts, `both` creates and updates. `fill` creates; an existing contact
 * gets only the values that it lacks, because strangers send the values.
 */
export type StoreMode = 'create' | 'update' | 'both' | 'fill'

/**
 * What happened to a contact. `found`: it exists, and the mode is `create`. `unchanged`: it exists and has all values already. `missing`:
 * it does not exist, and the mode is `update`. `refused`: `fields` has a sentence for each invalid field. `leftOutTags`: the tags for which
 * the contact has no space.
 */
export type StoreResult =
  | { status: 'created' | 'updated' | 'unchanged' | 'found'; id: string; leftOutTags?: string[] }
  | { status: 'missing' }
  | { status: 'refused'; fields: Readonly<Record<string, string>> }
type Refused = Extract<StoreResult, { status: 'refused' }>

/**
 * Finds each contact by its id in another CRM or by the duplicate rule, and creates or updates it. Runs in the open transaction, which
 * should be a `longTransaction` for more than 50 contacts. The results are the same as if the contacts were stored one after the other;
 * they are in the order of the list. In an update, values that are not empty replace the old ones, tags and `raw_data` are joined, and
 * `reports_to_id` is ignored, because it could close a circle. A list should have at most 10,000 contacts, because they are sent in one
 * statement.
 */
export async function storeContacts(owner: string, list: readonly ContactToStore[], mode: StoreMode): Promise<StoreResult[]> {
  const { incoming, search } = await prepareContacts(owner, list, mode, 'lock')
  // both are sent in one round trip; the second one starts when the locks are taken, so it sees all contacts committed before that
  const [, matches] = await Promise.all([search.lock(), search.read(mode === 'create' ? 'read' : 'lock')])
  const { results, write } = matchContacts(owner, incoming, matches, mode)
  await write()
  return results
}

/**
 * Decides in a read what `storeContacts` would do with the contacts. `write` does it in another transaction, in one batch, and can be sent
 * together with other statements. `write` rolls its transaction back with `requireTrue` if a matching contact was changed or added since
 * the read; the caller must then call `planContacts` again.
 */
export async function planContacts(
  owner: string,
  list: readonly ContactToStore[],
  mode: StoreMode,
): Promise<{ results: StoreResult[]; write: () => Promise<void> }> {
  const { incoming, search } = await prepareContacts(owner, list, mode, 'read')
  const matches = await search.read('read')
  const { results, write } = matchContacts(owner, incoming, matches, mode)
  return { results, write: async () => void (await Promise.all([search.lock(), search.requireUnchanged(matches), write()])) }
}

type Prepared = { incoming: (IncomingContact | Refused)[]; search: ContactSearch }

/** Checks the contacts, computes their derived columns, and finds out whether the records exist to which they link. */
async function prepareContacts(owner: string, list: readonly ContactToStore[], mode: StoreMode, access: RowAccess): Promise<Prepared> {
  const checked = list.map(checkContact)
  const fields = checked.map((contact): Fields => (isRefused(contact) ? {} : contact))
  const [derived, lowerCaseKeys] = await Promise.all([deriveColumns(owner, fields), readLowerCaseKeys(fields)])
  const columns = fields.map((contact, index) => ({ ...contact, ...derived[index] }))
  const existingIds = await readLinkedRecords(owner, columns, access)
  const incoming = checked.map((contact, index): IncomingContact | Refused => {
    if (isRefused(contact)) return contact
    const values = withoutMissingCompany({ ...columns[index] }, existingIds)
    return refuseMissingLinks(contact, existingIds) ?? { columns: values, keys: { ...matchKeysOf(values), ...lowerCaseKeys[index] } }
  })
  const search = createContactSearch(
    owner,
    incoming.flatMap((contact) => (isRefused(contact) ? [] : [contact])),
    mode !== 'fill', // this mode keeps existing values, so it needs the long ones too
  )
  return { incoming, search }
}

/** Decides what happens to each contact. `matches`: the contacts of the table that may be the same persons. */
function matchContacts(
  owner: string,
  incoming: readonly (IncomingContact | Refused)[],
  matches: readonly MatchedContact[],
  mode: StoreMode,
): { results: StoreResult[]; write: () => Promise<void> } {
  const matcher = createContactMatcher(matches)
  const results = incoming.map((contact): StoreResult => {
    if (isRefused(contact)) return contact
    const match = matcher.find(contact)
    if (match && mode === 'create') return { status: 'found', id: match.id }
    if (match) {
      const leftOutTags = joinTags(toTags(match.columns), toTags(contact.columns)).slice(tagLimits.count)
      const status = matcher.update(match, contact, mode === 'fill') ? 'updated' : 'unchanged'
      return { status, id: match.id, ...(leftOutTags.length > 0 && { leftOutTags }) }
    }
    return mode === 'update' ? { status: 'missing' } : { status: 'created', id: matcher.add(toNewContact(contact)).id }
  })
  const write = async (): Promise<void> => {
    const { added, updated } = matcher.readChanges()
    await Promise.all([added.length > 0 && insertContacts(owner, added), updated.length > 0 && updateContacts(owner, updated)])
  }
  return { results, write }
}

const toTags = ({ tags }: Fields): string[] => (Array.isArray(tags) ? tags.map(String) : [])

const isRefused = (contact: object): contact is Refused => 'status' in contact && contact.status === 'refused'

function checkContact(contact: ContactToStore): CheckedContact | Refused {
  try {
    refuseUnstorable(contact, '')
    const checked = checkInput(ContactToStore, contact)
    const texts = [checked.first_name, checked.last_name, checked.email, checked.phone, checked.mobile_phone]
    return texts.every((text) => !text || isInvisible(text))
      ? { status: 'refused', fields: { last_name: 'Enter a name, an email or a phone number' } }
      : checked
  } catch (error) {
    if (error instanceof Refusal) return { status: 'refused', fields: error.extras.fields ?? {} }
    throw error
  }
}

/** Returns the ids of the records to which the contacts link. With `lock` none of these records is deleted before the commit. */
async function readLinkedRecords(owner: string, list: readonly Fields[], access: RowAccess): Promise<ReadonlySet<string>> {
  const read = async (table: string, links: readonly unknown[]): Promise<{ id: string }[]> => {
    const ids = [...new Set(links.filter((id) => typeof id === 'string'))]
    if (ids.length === 0) return []
    const locking = access === 'lock' ? 'for key share' : ''
    return sql(`select id from ${table} where user_id = $1 and id = any($2) order by id ${locking}`, [owner, ids])
  }
  const links = Object.values(contacts.linksByConstraint).map(({ field, to }) =>
    read(
      to.table,
      list.map((contact) => contact[field]),
    ),
  )
  return new Set((await Promise.all(links)).flat().map(({ id }) => id))
}

const isMissing = (id: unknown, existingIds: ReadonlySet<string>): boolean => typeof id === 'string' && !existingIds.has(id.toLowerCase())

/** Refuses a contact that names a record which does not exist. */
function refuseMissingLinks(contact: Fields, existingIds: ReadonlySet<string>): Refused | undefined {
  const broken = Object.values(contacts.linksByConstraint).filter(({ field }) => isMissing(contact[field], existingIds))
  if (broken.length === 0) return undefined
  return {
    status: 'refused',
    fields: Object.fromEntries(broken.map(({ field, to }) => [field, `This ${to.singular} is no longer here`])),
  }
}

/** Removes the link to a company that was found by its name and deleted since. */
const withoutMissingCompany = (values: Fields, existingIds: ReadonlySet<string>): Fields =>
  isMissing(values['company_id'], existingIds) ? { ...values, company_id: null } : values

/** Returns the new contact. If it has no name, its email or phone becomes the last name, so that lists can show it. */
function toNewContact({ columns, keys }: IncomingContact): MatchedContact {
  const values: Record<string, unknown> = {
    ...contacts.defaults,
    raw_data: null,
    external_id: randomUUID(),
    crm_connection_id: null,
    ...columns,
  }
  if (!values['first_name'] && !values['last_name'])
    values['last_name'] = String(values['email'] || values['phone'] || values['mobile_phone']).slice(0, 100)
  return { id: newId(), columns: values, keys }
}

const toJson = (list: readonly MatchedContact[]): string => JSON.stringify(list.map(({ id, columns }) => ({ ...columns, id })))

const insertContacts = (owner: string, added: readonly MatchedContact[]): Promise<unknown> =>
  sql(
    `insert into crm_contacts (user_id, id, raw_data, ${storedColumns.join(', ')})
     select $1, id, raw_data, ${storedColumns.join(', ')} from json_populate_recordset(null::crm_contacts, $2) order by id`,
    [owner, toJson(added)],
  )

/** Keeps the values of `raw_data` that were not read. */
const updateContacts = (owner: string, updated: readonly MatchedContact[]): Promise<unknown> =>
  sql(
    `update crm_contacts c set (${storedColumns.join(', ')}) = row(${storedColumns.map((column) => `input.${column}`).join(', ')}),
       raw_data = case when input.raw_data is null then c.raw_data else coalesce(c.raw_data, '{}') || input.raw_data end
     from json_populate_recordset(null::crm_contacts, $2) input where c.user_id = $1 and c.id = input.id`,
    [owner, toJson(updated)],
  )
