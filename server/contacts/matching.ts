// Finds the contacts of a list among the contacts of the table. Changes are kept in memory, so that the later contacts of the list are
// compared with the changed contacts.
import { isDeepStrictEqual } from 'node:util'
import { tagLimits } from '#contract/fields.ts'
import { joinTags } from '#contract/tags.ts'
import type { Fields } from '#server/platform/records/kind.ts'
import { isDuplicate, phoneKeyColumns, type MatchKeys } from './duplicates.ts'

/** A contact of the list: the columns that it has, with the derived ones, and its values for the duplicate rule in lower case. */
export type IncomingContact = { columns: Fields; keys: MatchKeys }
/** A contact of the table, or a new one. It has all columns; its `raw_data` has only the values that were read. */
export type MatchedContact = { id: string; columns: Record<string, unknown>; keys: MatchKeys }

export type ContactMatcher = {
  /** Returns the contact with the same id in another CRM, or else the oldest duplicate, first by email and then by phone number. */
  find: (incoming: IncomingContact) => MatchedContact | undefined
  /** Writes the values of `incoming` to `match`; with `onlyMissing`, only those that `match` lacks. Returns false if nothing changes. */
  update: (match: MatchedContact, incoming: IncomingContact, onlyMissing: boolean) => boolean
  add: (contact: MatchedContact) => MatchedContact
  /** Returns the new contacts and those of the table that were updated. */
  readChanges: () => { added: MatchedContact[]; updated: MatchedContact[] }
}

/** Creates a matcher of the contacts of the table, which are in the order of their ids. */
export function createContactMatcher(existing: readonly MatchedContact[]): ContactMatcher {
  const byKey = new Map<string, Set<MatchedContact>>()
  const index = (contact: MatchedContact): void => {
    for (const key of keysOf(contact)) byKey.set(key, (byKey.get(key) ?? new Set()).add(contact))
  }
  for (const contact of existing) index(contact)
  const added = new Set<MatchedContact>()
  const updated = new Set<MatchedContact>()
  return {
    find: (incoming) => {
      const externalKey = externalKeyOf(incoming.columns)
      const sameExternal = externalKey === undefined ? undefined : byKey.get(externalKey)?.values().next().value
      if (sameExternal) return sameExternal
      for (const key of duplicateKeysOf(incoming.keys)) {
        const duplicates = [...(byKey.get(key) ?? [])].filter((contact) => isDuplicate(contact.keys, incoming.keys))
        if (duplicates.length > 0) return duplicates.reduce((oldest, contact) => (contact.id < oldest.id ? contact : oldest))
      }
      return undefined
    },
    update: (match, incoming, onlyMissing) => {
      const newValues = onlyMissing ? withoutPresentValues(match, incoming) : incoming
      const changes = findChanges(match, newValues)
      if (Object.keys(changes).length === 0) return false
      for (const key of keysOf(match)) byKey.get(key)?.delete(match)
      Object.assign(match.columns, changes)
      match.keys = changeKeys(match, newValues, changes)
      index(match)
      if (!added.has(match)) updated.add(match)
      return true
    },
    add: (contact) => {
      index(contact)
      added.add(contact)
      return contact
    },
    readChanges: () => ({ added: [...added], updated: [...updated] }),
  }
}

const keysOf = ({ columns, keys }: MatchedContact): string[] =>
  [externalKeyOf(columns), ...duplicateKeysOf(keys)].filter((key) => key !== undefined)

const externalKeyOf = ({ crm_connection_id: connection, external_id: id }: Fields): string | undefined =>
  typeof connection === 'string' && typeof id === 'string' ? `external ${connection} ${id}` : undefined

const duplicateKeysOf = (keys: MatchKeys): string[] =>
  (['email_key', ...phoneKeyColumns] as const).filter((name) => keys[name] !== '').map((name) => `${name} ${keys[name]}`)

/**
 * Returns the incoming contact without the columns in which the matched contact has a value. A name replaces only a name that
 * `storeContacts` made from an email or a phone number.
 */
function withoutPresentValues({ columns: old }: MatchedContact, { columns, keys }: IncomingContact): IncomingContact {
  const { first_name: first, last_name: last, email, phone, mobile_phone: mobile } = old
  const hasRealName = !isEmpty(first) || (!isEmpty(last) && ![email, phone, mobile].includes(last))
  const isKept = (column: string): boolean => {
    if (column === 'tags') return true
    if (column === 'first_name' || column === 'last_name') return !hasRealName && !isEmpty(columns['last_name'])
    if (column === 'company_id') return isEmpty(old['company']) && isEmpty(old['company_id'])
    return isEmpty(old[column])
  }
  const missing = Object.fromEntries(Object.entries(columns).filter(([column]) => isKept(column)))
  const { raw_data: rawData } = columns
  return { columns: rawData ? { ...missing, raw_data: { ...rawData, ...toObject(old['raw_data']) } } : missing, keys }
}

/** Columns that follow from others. */
const derivedColumns = new Set<string>([...phoneKeyColumns, 'company_id'])

/** Returns the columns of the contact that the incoming one changes, without `reports_to_id`, which could close a circle of managers. */
function findChanges({ columns: old, keys: oldKeys }: MatchedContact, { columns, keys }: IncomingContact): Fields {
  const changes: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(columns)) {
    if (derivedColumns.has(column) || column === 'reports_to_id' || isEmpty(value)) continue
    if (column === 'tags') Object.assign(changes, addTags(old['tags'], value))
    else if (column === 'raw_data') Object.assign(changes, joinRawData(old['raw_data'], value))
    else if (column === 'email' ? keys.email_key !== oldKeys.email_key : value !== old[column]) changes[column] = value
  }
  for (const [column, key] of [
    ['phone', 'phone_key'],
    ['mobile_phone', 'mobile_phone_key'],
  ] as const) {
    if (changes[column] === undefined) continue
    if (keys[key] !== '' && keys[key] === oldKeys[key]) delete changes[column] // the same number in another spelling
    else changes[key] = keys[key]
  }
  if (old['crm_connection_id'] !== null) {
    // a contact keeps its id in the CRM from which it came
    delete changes['crm_connection_id']
    delete changes['external_id']
  }
  const hasNewLink = !isEmpty(columns['company_id']) && columns['company_id'] !== old['company_id']
  if (changes['company'] !== undefined || hasNewLink) changes['company_id'] = columns['company_id'] ?? null
  return changes
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Adds the tags that the contact does not have. */
function addTags(old: unknown, tags: unknown): Fields {
  const present = toTexts(old)
  const joined = joinTags(present, toTexts(tags)).slice(0, tagLimits.count)
  return joined.length <= present.length ? {} : { tags: joined }
}

const toTexts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** Replaces the values with the same name and adds the others. */
function joinRawData(old: unknown, added: unknown): Fields {
  const joined = { ...toObject(old), ...toObject(added) }
  return isDeepStrictEqual(joined, toObject(old)) ? {} : { raw_data: joined }
}

const toObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {})

/** Returns the keys of the contact after the changes. */
function changeKeys({ columns, keys: old }: MatchedContact, { keys }: IncomingContact, changes: Fields): MatchKeys {
  const hasNewName = changes['first_name'] !== undefined || changes['last_name'] !== undefined
  return {
    email_key: changes['email'] === undefined ? old.email_key : keys.email_key,
    phone_key: changes['phone'] === undefined ? old.phone_key : keys.phone_key,
    mobile_phone_key: changes['mobile_phone'] === undefined ? old.mobile_phone_key : keys.mobile_phone_key,
    name: hasNewName ? `${String(columns['first_name'])} ${String(columns['last_name'])}`.trim().toLowerCase() : old.name,
  }
}
