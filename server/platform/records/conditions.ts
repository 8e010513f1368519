import { isNamedDay, type Condition, type FilterType, type Filters, type NamedDay } from '#contract/lists.ts'
import { searchPatterns } from './search.ts'

/** Which rows of a list match. Today is the day of `now` in the owner's time zone. */
export type Criteria = { search: string; filter: readonly Condition[]; now: Date; ids?: readonly string[] | undefined }

/** Adds a value to the statement and answers its placeholder: `$3`. */
export type Bind = (value: unknown) => string

/** SQL conditions on a kind's find view. The caller adds that of the owner. */
export function conditionsOf(filters: Filters, { search, filter, now, ids }: Criteria, bind: Bind): string[] {
  const found = searchPatterns(search).map((pattern) => `search like app.fold(${bind(pattern)})`)
  if (ids) found.push(`id = any(${bind(ids)})`)
  // no index serves parts of texts: each text is folded once, after the cheaper conditions
  const [others, parts] = [filter.filter(({ has }) => has === undefined), filter.filter(({ has }) => has !== undefined)]
  return [
    ...found,
    ...others.map((condition) => conditionOf(filters, condition, now, bind)),
    ...[...Map.groupBy(parts, ({ field }) => field)].map(([field, sought]) => hasParts(filters, field, sought, bind)),
  ]
}

/** The text contains all of these parts. */
function hasParts(filters: Filters, field: string, sought: readonly Condition[], bind: Bind): string {
  typeOf(filters, field)
  const patterns = sought.map(({ has = '' }) => `app.fold(${bind(`%${has.replaceAll(/[\\%_]/g, '\\$&')}%`)})`)
  return `${folded(field)} like all (array[${patterns.join(', ')}])`
}

/** The same as `app.fold`, whose call for each row costs five times as much. */
const folded = (field: string): string => `lower(public.unaccent('public.unaccent'::regdictionary, ${field}))`

function typeOf(filters: Filters, field: string): FilterType {
  const type = Object.hasOwn(filters, field) ? filters[field] : undefined
  if (!type) throw new Error('A condition names a field that has no filter') // the name becomes a part of the statement
  return type
}

function conditionOf(filters: Filters, condition: Condition, now: Date, bind: Bind): string {
  const { field, empty } = condition
  const type = typeOf(filters, field)
  if (empty === undefined) return conditionSql[type](field, condition, bind, now)
  const isEmpty = type === 'text' || type === 'choice' ? `${field} = ''` : type === 'tags' ? `${field} = '{}'` : `${field} is null`
  return empty ? isEmpty : `not (${isEmpty})`
}

type ConditionSql = (field: string, condition: Condition, bind: Bind, now: Date) => string

const conditionSql: Record<FilterType, ConditionSql> = {
  text: (field, { is }, bind) => `${folded(field)} = any(app.fold_all(${bind(is)}))`,
  choice: oneOf,
  link: oneOf,
  tags: (_field, { is }, bind) => `tag_keys && app.fold_all(${bind(is)})`,
  number: (field, { from, to }, bind) =>
    range(from !== undefined && `${field} >= ${bind(from)}::numeric`, to !== undefined && `${field} <= ${bind(to)}::numeric`),
  date: (field, { from, to, is = [] }, bind, now) =>
    is.length > 0
      ? `(${is
          .filter(isNamedDay)
          .map((day) => `${field} ${days[day]} ${today(bind, now)}`)
          .join(' or ')})`
      : range(from !== undefined && `${field} >= ${bind(from)}::date`, to !== undefined && `${field} <= ${bind(to)}::date`),
  instant: (field, { from, to }, bind) =>
    range(
      from !== undefined && `${field} >= ${bind(from)}::date::timestamp at time zone ${zone}`,
      to !== undefined && `${field} < (${bind(to)}::date + 1)::timestamp at time zone ${zone}`,
    ),
}

/** With one value an index keeps its order. */
function oneOf(field: string, { is = [] }: Condition, bind: Bind): string {
  return is.length === 1 ? `${field} = ${bind(is[0])}` : `${field} = any(${bind(is)})`
}

const range = (...ends: (string | false)[]): string => ends.filter((end) => end !== false).join(' and ')

const days: Record<NamedDay, string> = { overdue: '<', today: '=', upcoming: '>' }

const zone = '(select timezone from profiles where user_id = $1)'
const today = (bind: Bind, now: Date): string => `(${bind(now.toISOString())}::timestamptz at time zone ${zone})::date`
