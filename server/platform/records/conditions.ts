// Converts searches and filters to SQL. To fold a text means to remove case and accents, so that 'PARÍS' and 'paris' are equal.
import { isNamedDay, type Condition, type FilterType, type Filters, type NamedDay } from '#contract/lists.ts'
import { toFirstInstant, toLocalTime } from '../time/local-time.ts'
import { readTimezone } from '../time/owner-timezone.ts'
import type { FullText, RecordKind } from './kind.ts'
import { splitSearch } from './search.ts'

/**
 * The criteria by which rows of a list are selected. "Today" is the date of `now` in the owner's time zone. `searchIn`: `columns` selects
 * the records that have the searched words in their columns, `full text` those that have them only in their full text; by default both.
 * `readsFewRows`: PostgreSQL checks only few rows, so the SQL need not use an index.
 */
export type Criteria = {
  search: string
  filter: readonly Condition[]
  now: Date
  ids?: readonly string[] | undefined
  searchIn?: 'columns' | 'full text'
  readsFewRows?: boolean
}

/** Adds a value to the parameters and returns its placeholder, such as `$3`. */
export type Bind = (value: unknown) => string

const isResolved: unique symbol = Symbol('isResolved')

/**
 * Criteria with conditions on columns only. `timezone`: the zone of their days. The symbol is not exported, so that only `resolveCriteria`
 * can create them.
 */
export type Resolved<C extends Criteria = Criteria> = C & { timezone: string; readonly [isResolved]: true }

/** Returns the criteria with conditions on columns only. Reads the owner's time zone if a condition needs it. */
export async function resolveCriteria<C extends Criteria>(
  { filters, resolveFilter }: Pick<RecordKind, 'filters' | 'resolveFilter'>,
  owner: string,
  criteria: C,
): Promise<Resolved<C>> {
  const filter = resolveFilter && criteria.filter.length > 0 ? await resolveFilter(owner, criteria.filter) : criteria.filter
  const timezone = filter.some((condition) => needsTimezone(filters, condition)) ? await readTimezone(owner) : 'UTC'
  return { ...criteria, filter, timezone, [isResolved]: true }
}

/** Whether the condition compares instants with days, or days with today. */
function needsTimezone(filters: Filters, { field, is, empty }: Condition): boolean {
  const type = readFilterType(filters, field)
  return type === 'instant' ? empty === undefined : type === 'date' && is !== undefined
}

/**
 * Returns SQL conditions on a kind's find view, which is a database view of its rows that can use indexes. The caller adds the condition on
 * the owner.
 */
export function toSqlConditions(
  kind: Pick<RecordKind, 'filters' | 'fullText' | 'foldedColumns'>,
  criteria: Resolved,
  bind: Bind,
): string[] {
  const { filters } = kind
  const { filter, ids } = criteria
  const sqlConditions = toSearchSql(kind, criteria, bind)
  if (ids) sqlConditions.push(`id = any(${bind(ids)})`)
  const substringConditions = filter.filter(({ has }) => has !== undefined)
  const otherConditions = filter.filter(({ has }) => has === undefined)
  return [
    ...sqlConditions,
    ...otherConditions.map((condition) => toFoldedIndexSql(kind, condition, bind) ?? toSqlCondition(filters, condition, criteria, bind)),
    // no index supports substring conditions, so they come last, and each column is folded only once
    ...[...Map.groupBy(substringConditions, ({ field }) => field)].map(([field, conditions]) =>
      toSubstringSql(filters, field, conditions, bind),
    ),
  ]
}

/** Returns SQL conditions that are true for a record that matches the search: in its columns, or in its full text if the kind has one. */
function toSearchSql({ fullText }: Pick<RecordKind, 'fullText'>, { search, searchIn, readsFewRows }: Criteria, bind: Bind): string[] {
  const alternatives = splitSearch(search).map((words) => words.map((word) => `search like ${toPatternSql(bind(word))}`).join(' and '))
  if (alternatives.length === 0) return searchIn === 'full text' ? ['false'] : []
  const matchesColumns = `(${alternatives.join(' or ')})`
  if (!fullText || searchIn === 'columns') return [matchesColumns]
  const matchesText = toFullTextSql(fullText, bind(search.normalize('NFC')), readsFewRows)
  if (searchIn === 'full text') return [matchesText, `${matchesColumns} is not true`]
  return [`(${matchesColumns} or ${matchesText})`]
}

/**
 * Returns an SQL condition on the find view: the full text of the record has all searched words. `search` is SQL for what was typed. With
 * `= any(array)` PostgreSQL can use an index. For few rows `in (subquery)` is faster, because it looks each row up in a hash table.
 */
export function toFullTextSql({ column, find }: FullText, search: string, readsFewRows = false): string {
  return readsFewRows ? `${column} in (${find(search)})` : `${column} = any(array(${find(search)}))`
}

/** Returns SQL that is true if the field contains all texts of the conditions. */
function toSubstringSql(filters: Filters, field: string, conditions: readonly Condition[], bind: Bind): string {
  readFilterType(filters, field) // throws if the field has no filter
  const patterns = conditions.map(({ has = '' }) => toPatternSql(bind(has)))
  return `${toFoldedSql(field)} like all (array[${patterns.join(', ')}])`
}

/**
 * Returns SQL for a LIKE pattern that matches what contains the text; `text` is SQL. `app.like_part` folds the text and then escapes
 * wildcards, in this order, because folding turns a full-width `％` into `%`. If nothing of the text remains, as with a single accent, the
 * pattern is null and matches nothing.
 */
export const toPatternSql = (text: string): string => `'%' || nullif(app.like_part(${text}), '') || '%'`

/** The body of `app.fold` as SQL: a call of the function for each row takes five times as long. */
const toFoldedSql = (field: string): string => `lower(public.unaccent('public.unaccent'::regdictionary, ${field}))`

/** Throws if the field has no filter, which prevents SQL injection, because `field` is inserted into the statement. */
function readFilterType(filters: Filters, field: string): FilterType {
  const type = Object.hasOwn(filters, field) ? filters[field] : undefined
  if (!type) throw new Error('A condition names a field that has no filter')
  return type
}

/** Returns an SQL condition that an index on the folded column supports, if there is such an index. */
function toFoldedIndexSql(
  { foldedColumns = [] }: Pick<RecordKind, 'foldedColumns'>,
  { field, is }: Condition,
  bind: Bind,
): string | undefined {
  if (!is || is.includes('') || !foldedColumns.includes(field)) return undefined
  // with `=` the index returns the rows in their order, while with a list they have to be sorted
  const value = is.length === 1 ? `app.fold(${bind(is[0])})` : `any(app.fold_all(${bind(is)}))`
  return `${field} <> '' and app.fold(${field}) = ${value}`
}

/** Returns the SQL of a condition: whether the field is empty, or the comparison for the type of its filter. */
function toSqlCondition(filters: Filters, condition: Condition, clock: Clock, bind: Bind): string {
  const { field, empty } = condition
  const type = readFilterType(filters, field)
  if (empty === undefined) return sqlByType[type](field, condition, bind, clock)
  const isEmpty = toEmptySql(type, field)
  return empty ? isEmpty : `not (${isEmpty})`
}

/** Returns an SQL condition that is true if the record has no value in the field. */
function toEmptySql(type: FilterType, field: string): string {
  if (type === 'text' || type === 'choice') return `${field} = ''`
  return type === 'tags' ? `${field} = '{}'` : `${field} is null`
}

/** The time of the request, and the zone of days. */
type Clock = Pick<Resolved, 'now' | 'timezone'>

/** Returns the SQL of a condition on a field of one type. */
type ConditionSql = (field: string, condition: Condition, bind: Bind, clock: Clock) => string

const sqlByType: Record<FilterType, ConditionSql> = {
  text: (field, { is }, bind) => `${toFoldedSql(field)} = any(app.fold_all(${bind(is)}))`,
  choice: toEqualsSql,
  link: toLinkSql,
  tags: (_field, { is }, bind) => `tag_keys && app.fold_all(${bind(is)})`,
  number: (field, { from, to }, bind) =>
    joinBounds(from !== undefined && `${field} >= ${bind(from)}::numeric`, to !== undefined && `${field} <= ${bind(to)}::numeric`),
  date: (field, { from, to, is = [] }, bind, { now, timezone }) => {
    const today = toLocalTime(timezone, now.getTime()).date
    const namedDays = is.filter(isNamedDay).map((day) => `${field} ${dayOperators[day]} ${bind(today)}::date`)
    if (namedDays.length > 0) return `(${namedDays.join(' or ')})`
    return joinBounds(from !== undefined && `${field} >= ${bind(from)}::date`, to !== undefined && `${field} <= ${bind(to)}::date`)
  },
  instant: (field, { from, to }, bind, { timezone }) => {
    // a number, because PostgreSQL cannot read the texts that JavaScript writes for instants outside of the years 1 to 9999
    const toInstantSql = (day: string | number, minutes: number): string =>
      `to_timestamp(${bind(toFirstInstant(timezone, String(day), minutes) / 1000)})`
    return joinBounds(
      from !== undefined && `${field} >= ${toInstantSql(from, 0)}`,
      to !== undefined && `${field} < ${toInstantSql(to, 24 * 60)}`,
    )
  },
}

/** Uses `=` for a single value, because an index scan then returns the rows in sort order. */
function toEqualsSql(field: string, { is = [] }: Condition, bind: Bind): string {
  return is.length === 1 ? `${field} = ${bind(is[0])}` : `${field} = any(${bind(is)})`
}

/** PostgreSQL makes an estimate for each value of a list. With more ids than this, the planning would take longer than the search. */
const maxPlannedIds = 500

/** Looks up many ids in a hash table. `is true` prevents PostgreSQL from turning the subquery into a join. */
function toLinkSql(field: string, condition: Condition, bind: Bind): string {
  const hasManyIds = condition.is !== undefined && condition.is.length > maxPlannedIds
  return hasManyIds ? `(${field} in (select unnest(${bind(condition.is)}::uuid[]))) is true` : toEqualsSql(field, condition, bind)
}

/** Joins the SQL of the lower and of the upper bound of a range. The argument is false for a bound that the condition does not have. */
const joinBounds = (...bounds: (string | false)[]): string => bounds.filter((bound) => bound !== false).join(' and ')

const dayOperators: Record<NamedDay, string> = { overdue: '<', today: '=', upcoming: '>' }
