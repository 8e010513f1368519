// What the model reads of records: short JSON with links, in which texts that other people may have written are marked as data.
import { kindNames, recordKinds, type KindName } from '#contract/kinds.ts'
import type { ToolState } from './tool-state.ts'

/** The maximum number of rows in a result. */
export const maxRows = 20
/** The maximum size of a result as JSON, in characters. */
const maxCharacters = 8000

/** The maximum length of each text in characters: of the records of a list, and of a record that is read alone. */
export const textLimits = { list: 300, record: 5000 } as const

/** Values without a meaning for the model. */
const omittedFields = new Set([
  'user_id',
  'version',
  'external_id',
  'crm_connection_id',
  'storage_path',
  'text_state',
  'text_reason',
  'has_thumbnail',
  'marks',
])

/** Texts that the server has written, and cursors. */
const serverTexts = new Set(['label', 'actor', 'next', 'mime_type', 'operation', 'reversal', 'currency', 'timezone'])

/** The titles that usually only the user and the assistant write. Contacts, notes and files come from other people too. */
const ownTitles: Partial<Record<KindName, readonly string[]>> = {
  company: ['name'],
  deal: ['title', 'company_name'],
  task: ['title', 'deal_title'],
  folder: ['name'],
}

/** Returns the link of a record in the text of an answer. */
export const linkOf = (kind: KindName, id: string): string => `foyer:${kind.replaceAll(' ', '-')}/${id}`

/** Returns the link of a list with a search and a filter. */
export function listLinkOf(kind: KindName, search: string, filter: readonly unknown[]): string {
  const parameters = new URLSearchParams()
  if (search !== '') parameters.set('search', search)
  if (filter.length > 0) parameters.set('filter', JSON.stringify(filter))
  const query = parameters.toString()
  return `foyer:${recordKinds[kind].plural}${query === '' ? '' : `?${query}`}`
}

type Options = { toolState: ToolState; maxTextCharacters: number; kind?: KindName | undefined }

/**
 * Returns a value for the model: without empty fields, with a link in place of the id of each record, with at most `maxRows` elements of
 * each list, and with long texts cut. Texts that other people may have written become `{ untrusted: text }`, and set `hasUntrustedText`.
 */
export function toModelValue(value: unknown, options: Options): unknown {
  if (typeof value === 'string') return toModelText(value, options)
  if (Array.isArray(value)) return value.slice(0, maxRows).map((each) => toModelValue(each, options))
  if (typeof value !== 'object' || value === null) return value
  const record: Record<string, unknown> = { ...value }
  const kind = kindOf(record) ?? options.kind
  const id = record['id']
  const link = kind !== undefined && typeof id === 'string' ? { link: linkOf(kind, id) } : {}
  const fields = Object.entries(record)
    .filter(([name, field]) => !omittedFields.has(name) && !(name === 'id' && kind !== undefined) && !isEmpty(field))
    .map(([name, field]) => [name, isOwnText(kind, name, field) ? field : toModelValue(field, { ...options, kind: undefined })])
  return { ...link, ...Object.fromEntries(fields) }
}

function isOwnText(kind: KindName | undefined, field: string, value: unknown): boolean {
  if (typeof value !== 'string') return false
  const isTitle = kind !== undefined && (ownTitles[kind]?.includes(field) ?? false)
  return serverTexts.has(field) || (isTitle && isShortTitle(value))
}

/** Returns the kind of a row, which has a field `kind` or `table`. */
function kindOf({ kind, table }: Readonly<Record<string, unknown>>): KindName | undefined {
  return kindNames.find((name) => name === kind || recordKinds[name].table === table)
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || value === undefined || (Array.isArray(value) && value.length === 0)

function toModelText(text: string, { toolState, maxTextCharacters }: Options): unknown {
  const shown = text.length > maxTextCharacters ? `${text.slice(0, maxTextCharacters).toWellFormed()}…` : text
  return isShortName(text) ? text : toUntrusted(shown, toolState)
}

/** Marks a text as data that other people may have written. */
function toUntrusted(text: string, toolState: ToolState): { untrusted: string } {
  toolState.hasUntrustedText = true
  return { untrusted: text }
}

/**
 * Returns true for a text that cannot be an instruction: an id, a date, an option such as a stage, an email, or a name of at most three
 * words. All other texts may have been written by other people, in a form, a file or an imported list.
 */
function isShortName(text: string): boolean {
  if (/^[\p{L}\p{M}\p{N}'’.&-]+( [\p{L}\p{M}\p{N}'’.&-]+){0,2}$/u.test(text)) return text.length <= 40
  return /^[\d\s:TZ().+-]{1,40}$|^[\w.+-]{1,60}@[\w.-]{1,60}$/.test(text)
}

/** Whether a title of the user is too short to be an instruction to the model. */
export const isShortTitle = (text: string): boolean => text.length <= 60 && text.split(/\s+/).length <= 6 && !/[<>{}[\]]/.test(text)

/** Returns the result with as many rows as fit into `maxCharacters`, at least one. `has_more`: rows were left out. */
export function fitRows<Result extends { rows: readonly unknown[] }>(result: Result): Result & { has_more?: true } {
  let rows = [...result.rows]
  while (rows.length > 1 && JSON.stringify({ ...result, rows }).length > maxCharacters) rows = rows.slice(0, -1)
  return rows.length === result.rows.length ? result : { ...result, rows, has_more: true }
}
