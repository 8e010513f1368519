// Stores companies, deals and tasks of a batch of rows. Only imports have a rule for the duplicates of these kinds (decision 0027).
import { isDeepStrictEqual } from 'node:util'
import type { ImportKind, ImportMode } from '#contract/imports.ts'
import { tagLimits } from '#contract/records.ts'
import { joinTags } from '#contract/tags.ts'
import { findCompaniesByName } from '#server/companies/companies.ts'
import { sql } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/uuid.ts'
import type { Fields, RecordKind } from '#server/platform/records/kind.ts'
import type { ReadRecord } from '../mapping/read-record.ts'
import { findContacts, findDeals } from './find-linked.ts'
import type { RecordOutcome } from './outcome.ts'

type OtherKind = Exclude<ImportKind, 'contact'>
/** The columns by which a record is found, and SQL for the name or title as it is compared. */
type Identity = { title: string; folded: (text: string) => string; others: readonly string[] }

const identities: Record<OtherKind, Identity> = {
  company: { title: 'name', folded: (text) => `app.fold(${text})`, others: [] },
  deal: { title: 'title', folded: (text) => `${text} collate "und-x-icu"`, others: ['company_id'] },
  task: { title: 'title', folded: (text) => `${text} collate "und-x-icu"`, others: ['due_date', 'contact_id'] },
}

type Options = { owner: string; kind: RecordKind; name: OtherKind; mode: ImportMode }
type StoredRecord = { id: string; columns: Fields; isNew: boolean; isChanged: boolean }

/**
 * Stores the records. Values that are not empty replace the old ones, tags are joined. Two imports of one owner do not add the same record,
 * because the large transactions of an owner run one after the other.
 */
export async function storeOtherRows({ owner, kind, name, mode }: Options, records: readonly ReadRecord[]): Promise<RecordOutcome[]> {
  const rows = await linkRecords(owner, name, records)
  const keys = await readKeys(name, rows)
  const existing = await readExisting(owner, kind, name, rows)
  const byKey = new Map<string, StoredRecord>(
    existing.map(({ key, id, columns }) => [key, { id, columns, isNew: false, isChanged: false }]),
  )
  const outcomes = rows.map((row, index): RecordOutcome => {
    const key = keys[index] ?? ''
    const match = byKey.get(key)
    if (match) return mode === 'create' ? { status: 'found' } : updateRecord(match, row.columns, name)
    if (mode === 'update') return { status: 'missing' }
    byKey.set(key, { id: newId(), columns: { ...kind.defaults, ...describeUnlinked(row, name) }, isNew: true, isChanged: false })
    return { status: 'created' }
  })
  await writeRecords(owner, kind, [...byKey.values()])
  return outcomes
}

/** A record with the ids of its linked records. `unlinked`: names that no record or several records have, by the label of their link. */
type LinkedRow = { columns: Fields; unlinked: ReadonlyMap<string, string> }

async function linkRecords(owner: string, name: OtherKind, records: readonly ReadRecord[]): Promise<LinkedRow[]> {
  if (name === 'company') return records.map(({ fields }) => ({ columns: fields, unlinked: new Map() }))
  const namesOf = (link: string): (string | undefined)[] => records.map(({ links }) => links[link])
  const companyNames = namesOf('company_name').filter((text) => text !== undefined)
  const [contacts, deals, companies] = await Promise.all([
    findContacts(owner, namesOf('contact_name')),
    findDeals(owner, namesOf('deal_title')),
    companyNames.length > 0 ? findCompaniesByName(owner, companyNames) : new Map<string, { id: string }>(),
  ])
  const targets = [
    { link: 'contact_name', column: 'contact_id', label: 'Contact', find: (text: string) => contacts.get(text) },
    { link: 'deal_title', column: 'deal_id', label: 'Deal', find: (text: string) => deals.get(text) },
    { link: 'company_name', column: 'company_id', label: 'Company', find: (text: string) => companies.get(text)?.id },
  ]
  return records.map(({ fields, links }) => {
    const named = targets.flatMap((target) => {
      const text = links[target.link]
      return text === undefined ? [] : [{ ...target, text, id: target.find(text) }]
    })
    const ids = named.flatMap(({ column, id }) => (id === undefined ? [] : [[column, id]]))
    const unlinked = named.flatMap(({ label, text, id }): [string, string][] => (id === undefined ? [[label, text]] : []))
    return { columns: { ...fields, ...Object.fromEntries(ids) }, unlinked: new Map(unlinked) }
  })
}

/** Adds the unlinked names to the description of a new record, so that they are not lost. */
function describeUnlinked({ columns, unlinked }: LinkedRow, name: OtherKind): Fields {
  if (unlinked.size === 0 || name === 'company') return columns
  const description = columns['description']
  const lines = [...unlinked].map(([label, text]) => `${label}: ${text}`)
  const texts = [typeof description === 'string' ? description : '', lines.join('\n')].filter((text) => text !== '')
  return { ...columns, description: texts.join('\n\n').slice(0, 20_000).toWellFormed() }
}

/** Returns SQL for the key of a record. Records with the same key are duplicates. `column` returns SQL for a column. */
const keySql = ({ title, folded, others }: Identity, column: (name: string) => string): string =>
  `concat_ws(' ', ${[...others.map((other) => `coalesce(${column(other)}::text, '-')`), folded(column(title))].join(', ')})`

const rowsJson = (rows: readonly LinkedRow[]): string => JSON.stringify(rows.map(({ columns }, position) => ({ ...columns, position })))

/** Returns the keys of the rows. The database computes them, because it compares names with those in the table. */
async function readKeys(name: OtherKind, rows: readonly LinkedRow[]): Promise<string[]> {
  const identity = identities[name]
  const columns = [identity.title, ...identity.others].map((column) => `${column} ${column.endsWith('_date') ? 'date' : 'text'}`)
  const found = await sql<{ key: string }>(
    `select ${keySql(identity, (column) => `r.${column}`)} as key
     from json_to_recordset($1) r (position int, ${columns.join(', ')}) order by r.position`,
    [rowsJson(rows)],
  )
  return found.map(({ key }) => key)
}

/** Reads and locks the records with the names or titles of the rows, the newest first: a map by key then has the oldest duplicate. */
function readExisting(
  owner: string,
  kind: RecordKind,
  name: OtherKind,
  rows: readonly LinkedRow[],
): Promise<{ key: string; id: string; columns: Fields }[]> {
  const identity = identities[name]
  const { title, folded } = identity
  const columns = Object.keys(kind.defaults).map((column) => `'${column}', c.${column}`)
  return sql<{ key: string; id: string; columns: Fields }>(
    `select ${keySql(identity, (column) => `c.${column}`)} as key, c.id, jsonb_build_object(${columns.join(', ')}) as columns
     from ${kind.table} c where c.user_id = $1 and c.id = any(array(
       select f.id from (select distinct ${folded('text')} as text from unnest($2::text[]) t (text)) named
       join ${kind.findView} f on f.user_id = $1 and ${folded(`f.${title}`)} = named.text
     )) order by c.id desc for no key update of c`,
    [owner, [...new Set(rows.map(({ columns: fields }) => String(fields[title])))]],
  )
}

function updateRecord(match: StoredRecord, columns: Fields, name: OtherKind): RecordOutcome {
  const { title, others } = identities[name]
  const changes: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(columns)) {
    if (column === title || others.includes(column)) continue
    const next = column === 'tags' ? addTags(match.columns['tags'], value) : value
    if (!isDeepStrictEqual(next, match.columns[column])) changes[column] = next
  }
  if (Object.keys(changes).length === 0) return { status: 'unchanged' }
  match.columns = { ...match.columns, ...changes }
  match.isChanged = true
  return { status: 'updated' }
}

const addTags = (old: unknown, added: unknown): string[] => joinTags(toTexts(old), toTexts(added)).slice(0, tagLimits.count)

const toTexts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

async function writeRecords(owner: string, { table, defaults }: RecordKind, records: readonly StoredRecord[]): Promise<void> {
  const names = Object.keys(defaults)
  const added = records.filter(({ isNew }) => isNew)
  const changed = records.filter(({ isNew, isChanged }) => !isNew && isChanged)
  const toJson = (list: readonly StoredRecord[]): string => JSON.stringify(list.map(({ id, columns }) => ({ ...columns, id })))
  await Promise.all([
    added.length > 0 &&
      sql(
        `insert into ${table} (user_id, id, ${names.join(', ')})
         select $1, id, ${names.join(', ')} from json_populate_recordset(null::${table}, $2) order by id`,
        [owner, toJson(added)],
      ),
    changed.length > 0 &&
      sql(
        `update ${table} c set (${names.join(', ')}) = row(${names.map((column) => `input.${column}`).join(', ')})
         from json_populate_recordset(null::${table}, $2) input where c.user_id = $1 and c.id = input.id`,
        [owner, toJson(changed)],
      ),
  ])
}
