// Searches the table of contacts for those that may be the same persons as the contacts of a list.
import { sql } from '#server/platform/database/database.ts'
import { requireTrue } from '#server/platform/database/requirement.ts'
import { lockMatchKeys } from './duplicates.ts'
import { contacts } from './kind.ts'
import type { IncomingContact, MatchedContact } from './matching.ts'

/** The columns that are read, and that `storeContacts` writes, besides `raw_data`. */
export const storedColumns = [...Object.keys(contacts.defaults), 'external_id', 'crm_connection_id']

/** `lock`: other transactions cannot change the rows after they are read, until this transaction ends. */
export type RowAccess = 'read' | 'lock'

/** A contact of the table that may be the same person as one of the list. */
type FoundContact = MatchedContact & { version: number }

export type ContactSearch = {
  /** Blocks other transactions that add a contact with one of the emails or phones of the list, until the end of the transaction. */
  lock: () => Promise<unknown>
  /**
   * Reads the contacts of the table, in the order of their ids. Their `raw_data` has only values under names that a contact of the list has
   * too, because a contact may have megabytes of others.
   */
  read: (access: RowAccess) => Promise<FoundContact[]>
  /** Searches again and locks the contacts. Rolls back the transaction if they are not the same contacts in the same versions. */
  requireUnchanged: (found: readonly FoundContact[]) => Promise<void>
}

/**
 * Creates the search for a list of contacts. With `skipsLongValues`, it reads no values of `raw_data` that are longer than those of the list,
 * because they differ from them anyway.
 */
export function createContactSearch(owner: string, list: readonly IncomingContact[], skipsLongValues: boolean): ContactSearch {
  const { ids, values } = toIdsSql(owner, list)
  const rawData = toRawDataSql(list, values.length, skipsLongValues)
  const columns = [...storedColumns.map((column) => `'${column}', c.${column}`), ...rawData.columns]
  return {
    lock: () =>
      lockMatchKeys(
        owner,
        list.map(({ keys }) => keys),
      ),
    read: async (access) => {
      if (ids === undefined) return []
      return sql<FoundContact>(
        `select c.id, c.version, jsonb_build_object(${columns.join(', ')}) as columns,
           jsonb_build_object('email_key', c.email_key, 'name', lower(c.name), 'phone_key', c.phone_key, 'mobile_phone_key', c.mobile_phone_key)
             as keys
         from crm_contacts c where c.user_id = $1 and c.id = any(${ids}) order by c.id ${access === 'lock' ? 'for no key update of c' : ''}`,
        [...values, ...rawData.values],
      )
    },
    requireUnchanged: async (found) => {
      if (ids === undefined) return
      await requireTrue({
        condition: `array(select found.id || ' ' || found.version from (
            select c.id, c.version from crm_contacts c where c.user_id = $1 and c.id = any(${ids}) order by c.id for no key update) found
          ) = $${values.length + 1}::text[]`,
        values: [...values, found.map(({ id, version }) => `${id} ${version}`)],
        reason: 'the contacts are unchanged',
      })
    },
  }
}

/** Returns the SQL of `raw_data` for `jsonb_build_object`; nothing if no contact of the list has a value for it. */
function toRawDataSql(
  list: readonly IncomingContact[],
  earlierValues: number,
  skipsLongValues: boolean,
): { columns: string[]; values: unknown[] } {
  const entries = list.flatMap(({ columns }) => Object.entries(columns['raw_data'] ?? {}))
  if (entries.length === 0) return { columns: [], values: [] }
  const names = [...new Set(entries.map(([name]) => name))]
  const longest = entries.reduce((bytes, [, value]) => Math.max(bytes, Buffer.byteLength(JSON.stringify(value) ?? '')), 0)
  // PostgreSQL writes spaces into arrays and objects, and large numbers with all digits
  const maxBytes = skipsLongValues ? 2 * longest + 1000 : null
  return {
    columns: [
      `'raw_data', (select jsonb_object_agg(r.key, r.value) from jsonb_each(c.raw_data) r where r.key = any($${earlierValues + 1}::text[])
         and ($${earlierValues + 2}::int is null or octet_length(r.value::text) <= $${earlierValues + 2}))`,
    ],
    values: [names, maxBytes],
  }
}

/**
 * Returns SQL for an array of the ids that the search finds; undefined if the list has nothing to search for. The array is computed once and
 * not for each row, also in a plan that was made for an empty table. The SQL names only the keys that a contact of the list has, and a single
 * key without an array, so that PostgreSQL makes a plan faster or uses an earlier one.
 */
function toIdsSql(owner: string, list: readonly IncomingContact[]): { ids: string | undefined; values: unknown[] } {
  const values: unknown[] = [owner]
  const placeholder = (value: unknown): string => `$${values.push(value)}`
  const conditions: string[] = []
  for (const key of ['email_key', 'phone_key', 'mobile_phone_key'] as const) {
    const keys = [...new Set(list.map((contact) => contact.keys[key]).filter((value) => value !== ''))]
    if (keys.length > 0)
      conditions.push(`${key} = ${keys.length === 1 ? placeholder(keys[0]) : `any(${placeholder(keys)})`} and ${key} <> ''`)
  }
  const withExternalId = list.map(({ columns }) => columns).filter((columns) => columns['crm_connection_id'])
  if (withExternalId.length > 0) {
    const connectionIds = placeholder(withExternalId.map((columns) => columns['crm_connection_id']))
    const externalIds = placeholder(withExternalId.map((columns) => columns['external_id']))
    conditions.push(
      `crm_connection_id is not null and (crm_connection_id, external_id) in (select * from unnest(${connectionIds}::uuid[], ${externalIds}::text[]))`,
    )
  }
  if (conditions.length === 0) return { ids: undefined, values }
  const searches = conditions.map((condition) => `select id from crm_contacts where user_id = $1 and ${condition}`)
  return { ids: `array(${searches.join(' union ')})`, values }
}
