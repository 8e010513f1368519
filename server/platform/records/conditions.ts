import { isNamedDay, type Condition, type FilterType, type Filters, type NamedDay } from '#contract/lists.ts'
import { searchPatterns } from './search.ts'

/** What a list is narrowed to. `now` is the instant by which today is told, in the owner's time zone. */
export type Narrowing = { search: string; filter: readonly Condition[]; now: Date; ids?: readonly string[] | undefined }

/** Puts a value into the statement and answers its place: `$3`. */
export type Bind = (value: unknown) => string

/** The conditions on a kind's find view, beside that on the owner, who is `$1`. */
export function conditionsOf(filters: Filters, { search, filter, now, ids }: Narrowing, bind: Bind): string[] {
  const found = searchPatterns(search).map((pattern) => `search like app.fold(${bind(pattern)})`)
  if (ids) found.push(`id = any(${bind(ids)})`)
  // no index helps to look into texts: each is folded once, and behind the conditions that are cheaper
  const [others, parts] = [filter.filter(({ has }) => has === undefined), filter.filter(({ has }) => has !== undefined)]
  return [
    ...found,
    ...others.map((condition) => conditionOf(filters, condition, now, bind)),
    ...[...Map.groupBy(parts, ({ field }) => field)].map(([field, sought]) => hasParts(filters, field, sought, bind)),
  ]
}

/** The text has all of these parts. */
function hasParts(filters: Filters, field: string, sought: readonly Condition[], bind: Bind): string {
  kindOf(filters, field)
  const patterns = sought.map(({ has = '' }) => `app.fold(${bind(`%${has.replaceAll(/[\\%_]/g, '\\$&')}%`)})`)
  return `${folded(field)} like all (array[${patterns.join(', ')}])`
}

/** As `app.fold` does it, without the call of a function of our own for each row, which costs five times as much. */
const folded = (field: string): string => `lower(public.unaccent('public.unaccent'::regdictionary, ${field}))`

function kindOf(filters: Filters, field: string): FilterType {
  const kind = Object.hasOwn(filters, field) ? filters[field] : undefined
  if (!kind) throw new Error('A condition names a field that has no filter') // its name goes into the statement as it is
  return kind
}

function conditionOf(filters: Filters, condition: Condition, now: Date, bind: Bind): string {
  const { field, empty } = condition
  const kind = kindOf(filters, field)
  if (empty === undefined) return asked[kind](field, condition, bind, now)
  const isEmpty = kind === 'text' || kind === 'choice' ? `${field} = ''` : kind === 'tags' ? `${field} = '{}'` : `${field} is null`
  return empty ? isEmpty : `not (${isEmpty})`
}

type Asked = (field: string, condition: Condition, bind: Bind, now: Date) => string

const asked: Record<FilterType, Asked> = {
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

/** One value alone lets an index keep its order. */
function oneOf(field: string, { is = [] }: Condition, bind: Bind): string {
  return is.length === 1 ? `${field} = ${bind(is[0])}` : `${field} = any(${bind(is)})`
}

const range = (...ends: (string | false)[]): string => ends.filter((end) => end !== false).join(' and ')

const days: Record<NamedDay, string> = { overdue: '<', today: '=', upcoming: '>' }

const zone = '(select timezone from profiles where user_id = $1)'
const today = (bind: Bind, now: Date): string => `(${bind(now.toISOString())}::timestamptz at time zone ${zone})::date`
