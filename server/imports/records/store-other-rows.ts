// Stores companies, deals and tasks of a batch of rows. Only imports have a rule for the duplicates of these kinds (decision 0027).
import { isDeepStrictEqual } from 'node:util'
import type { ImportKind, ImportMode } from '#contract/imports.ts'
import { tagLimits } from '#contract/fields.ts'
import { joinTags } from '#contract/tags.ts'
import { findCompaniesByName } from '#server/companies/companies.ts'
import { sql } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/uuid.ts'
import type { Fields, RecordKind } from '#server/platform/records/kind.ts'
import type { ReadRecord } from '../mapping/read-record.ts'
import { findContacts, findDeals } from './find-linked.ts'
import { remarkTags, type FieldRemark, type RecordOutcome } from './outcome.ts'

type OtherKind = Exclude<ImportKind, 'contact'>
/** The columns by which a record is found, and SQL for the name or title as it is compared. `label`: that of a link in a description. */
type Identity = { title: string; folded: (text: string) => string; others: readonly { column: string; label?: string }[] }

const contactLink = { column: 'contact_id', label: 'Contact' }
const dealLink = { column: 'deal_id', label: 'Deal' }
const companyLink = { column: 'company_id', label: 'Company' }

const identities: Record<OtherKind, Identity> = {
  company: { title: 'name', folded: (text) => `app.fold(${text})`, others: [] },
  deal: { title: 'title', folded: (text) => `${text} collate "und-x-icu"`, others: [companyLink] },
  task: { title: 'title', folded: (text) => `${text} collate "und-x-icu"`, others: [{ column: 'due_date' }, contactLink] },
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
    if (match && mode === 'create') return { status: 'found' }
    if (match) return updateRecord(match, row, name)
    if (mode === 'update') return { status: 'missing' }
    const { columns, remarks } = describeUnlinked(row)
    byKey.set(key, { id: newId(), columns: { ...kind.defaults, ...columns }, isNew: true, isChanged: false })
    return { status: 'created', remarks }
  })
  await writeRecords(owner, kind, [...byKey.values()])
  return outcomes
}

/** A record with the ids of its linked records. `unlinked`: names that no record or several records have, with their links. */
type LinkedRow = { columns: Fields; unlinked: readonly UnlinkedName[] }
type UnlinkedName = { link: string; label: string; text: string }

async function linkRecords(owner: string, name: OtherKind, records: readonly ReadRecord[]): Promise<LinkedRow[]> {
  if (name === 'company') return records.map(({ fields }) => ({ columns: fields, unlinked: [] }))
  const namesOf = (link: string): (string | undefined)[] => records.map(({ links }) => links[link])
  const companyNames = namesOf('company_name').filter((text) => text !== undefined)
  const [contacts, deals, companies] = await Promise.all([
    findContacts(owner, namesOf('contact_name')),
    findDeals(owner, namesOf('deal_title')),
    companyNames.length > 0 ? findCompaniesByName(owner, companyNames) : new Map<string, { id: string }>(),
  ])
  const targets = [
    { link: 'contact_name', ...contactLink, find: (text: string) => contacts.get(text) },
    { link: 'deal_title', ...dealLink, find: (text: string) => deals.get(text) },
    { link: 'company_name', ...companyLink, find: (text: string) => companies.get(text)?.id },
  ]
  return records.map(({ fields, links }) => {
    const named = targets.flatMap((target) => {
      const text = links[target.link]
      if (text === undefined) return []
      return [{ ...target, text: text.replaceAll(/\s+/g, ' '), id: target.find(text) }] // the description has it in one line
    })
    const ids = named.flatMap(({ column, id }) => (id === undefined ? [] : [[column, id]]))
    return { columns: { ...fields, ...Object.fromEntries(ids) }, unlinked: named.filter(({ id }) => id === undefined) }
  })
}

/** The maximum length of a description. */
const maxDescriptionLength = 20_000

const nameLine = ({ label, text }: UnlinkedName): string => `${label}: ${text}`

/** Returns the description of the row, with the unlinked names at the end. */
function describe({ columns, unlinked }: LinkedRow): string {
  const names = unlinked.map(nameLine).join('\n')
  return [columns['description'], names].filter((text) => typeof text === 'string' && text !== '').join('\n\n')
}

/** Adds the unlinked names to the description of the row, so that they are not lost, if it has space for them. */
function describeUnlinked(row: LinkedRow): { columns: Fields; remarks: FieldRemark[] } {
  const { columns, unlinked } = row
  if (unlinked.length === 0) return { columns, remarks: [] }
  const description = describe(row)
  if (description.length > maxDescriptionLength) return { columns, remarks: remarkUnlinked(unlinked, 'left out') }
  return { columns: { ...columns, description }, remarks: remarkUnlinked(unlinked, 'in the description') }
}

const remarkUnlinked = (unlinked: readonly UnlinkedName[], place: 'left out' | 'in the description'): FieldRemark[] =>
  unlinked.map(({ link, label, text }) => {
    const shown = text.length > 60 ? `${text.slice(0, 59).toWellFormed()}…` : text
    return { field: link, reason: `“${shown}” is ${place}, because no ${label.toLowerCase()} or several have this name.` }
  })

/**
 * Returns SQL for the key of a record. Records with the same key are duplicates. A record without a link has instead the name in the last
 * line of its description that an import has added for the link. `column` returns SQL for a column.
 */
function keySql({ title, folded, others }: Identity, column: (name: string) => string): string {
  const parts = others.map(({ column: other, label }) => {
    const name = label && `'?' || app.fold(rtrim(substring(${column('description')} from '^(?:.*\\n)?${label}: (\\S[^\\n]*)')))`
    return `coalesce(${[`${column(other)}::text`, ...(name ? [name] : []), `'-'`].join(', ')})`
  })
  return `concat_ws(chr(10), ${[...parts, folded(column(title))].join(', ')})` // no part has a line break
}

const rowsJson = (rows: readonly LinkedRow[]): string =>
  JSON.stringify(rows.map((row, position) => ({ ...row.columns, description: describe(row), position })))

/** Returns the keys of the rows. The database computes them, because it compares names with those in the table. */
async function readKeys(name: OtherKind, rows: readonly LinkedRow[]): Promise<string[]> {
  const identity = identities[name]
  const names = [identity.title, 'description', ...identity.others.map(({ column }) => column)]
  const columns = names.map((column) => `${column} ${column.endsWith('_date') ? 'date' : 'text'}`)
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

function updateRecord(match: StoredRecord, row: LinkedRow, name: OtherKind): RecordOutcome {
  const { title, others } = identities[name]
  const changes: Record<string, unknown> = {}
  const { columns, remarks: remarksOnNames } = updateNames(match, row, name)
  const remarks = [
    ...remarksOnNames,
    ...remarkTags(joinTags(toTexts(match.columns['tags']), toTexts(columns['tags'])).slice(tagLimits.count)),
  ]
  for (const [column, value] of Object.entries(columns)) {
    if (column === title || others.some((other) => other.column === column)) continue
    const next = column === 'tags' ? addTags(match.columns['tags'], value) : value
    if (!isDeepStrictEqual(next, match.columns[column])) changes[column] = next
  }
  if (Object.keys(changes).length === 0) return { status: 'unchanged', remarks }
  match.columns = { ...match.columns, ...changes }
  match.isChanged = true
  return { status: 'updated', remarks }
}

/** Returns the columns of the row. A description that replaces the old one gets the unlinked names, which the old one may have. */
function updateNames(match: StoredRecord, row: LinkedRow, name: OtherKind): { columns: Fields; remarks: FieldRemark[] } {
  const lines = new Set(String(match.columns['description']).split('\n'))
  const known = new Set(identities[name].others.map(({ label }) => label)) // the match has these names, perhaps in another case
  const added = row.unlinked.filter((unlinked) => !known.has(unlinked.label) && !lines.has(nameLine(unlinked)))
  if (row.columns['description'] === undefined) return { columns: row.columns, remarks: remarkUnlinked(added, 'left out') }
  const { columns, remarks } = describeUnlinked(row)
  return { columns, remarks: columns === row.columns ? remarks : remarkUnlinked(added, 'in the description') }
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
