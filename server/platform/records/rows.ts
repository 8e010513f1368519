import { sql } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/batch.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { constraintName } from '#server/platform/error-code.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { Fields, RecordKind } from './kind.ts'

/** Returns a record of the owner. Throws `not_found`. */
export async function readRecord<R extends Row>({ table, columns }: RecordKind, owner: string, id: string): Promise<R> {
  const [row] = await sql<R>(`select ${columns} from ${table} c where user_id = $1 and id = $2`, [owner, id])
  if (!row) throw new Refusal('not_found')
  return row
}

/** Inserts a record and returns it. */
export async function insertRow<R extends Row>(kind: RecordKind, owner: string, id: string, values: Fields): Promise<R | undefined> {
  const { table, columns } = kind
  const [row] = await sql<R>(
    `insert into ${table} as c (user_id, id, ${Object.keys(values).join(', ')})
     values ($1, $2, ${toInsertedValuesSql(kind, values)}) returning ${columns}`,
    [owner, id, ...Object.values(values)],
  )
  return row
}

/** Returns SQL for the values of the columns of a new record: placeholders from `$3` on, or the SQL by which the kind derives a column. */
export function toInsertedValuesSql({ deriveInInsert }: Pick<RecordKind, 'deriveInInsert'>, values: Fields): string {
  const names = Object.keys(values)
  const placeholder = (column: string): string => `$${names.indexOf(column) + 3}`
  const derived = deriveInInsert?.(values)?.columns(placeholder) ?? {}
  return names.map((name) => derived[name] ?? placeholder(name)).join(', ')
}

/**
 * Calls `insert` with the id that the client created, or with a new id. `app.claim_id` raises a database error with the constraint
 * `claimed_id` if a record of the owner, of any kind, has or had this id.
 */
export async function insertWithId<T>(clientId: string | undefined, insert: (id: string) => Promise<T>): Promise<T> {
  if (clientId === undefined) return insert(newId())
  const [, inserted] = await Promise.all([sql('select app.claim_id($1)', [clientId]), insert(clientId)])
  return inserted
}

/**
 * Updates the columns in `patch` that are fields of the kind, and returns the record. The other columns keep their values. Returns
 * undefined if the row does not exist or does not have the version `version`.
 */
export async function updateRow<R extends Row>(
  { table, columns, defaults, check, editLabel }: RecordKind,
  owner: string,
  id: string,
  patch: Fields,
  version?: number,
): Promise<R | undefined> {
  const writable = Object.keys(defaults)
  const label = editLabel?.(patch)
  // all three are started together, so that the statements are sent in one batch
  const [_labelled, _checked, [row]] = await Promise.all([
    label &&
      sql(`select set_config('app.label', ${label}, true) from ${table} c where user_id = $1 and id = $2 and ${label} is not null`, [
        owner,
        id,
      ]),
    check?.([id], patch),
    sql<R>(
      `update ${table} c set (${writable.join(', ')}) =
         (select ${writable.map((column) => `new_row.${column}`).join(', ')} from jsonb_populate_record(c.*, $3) new_row)
       where user_id = $1 and id = $2 and ($4::int is null or version = $4) returning ${columns}`,
      [owner, id, JSON.stringify(patch), version ?? null],
    ),
  ])
  return row
}

/**
 * Converts the errors of violated constraints into refusals that name the field: a link to a missing record, a used id, or a rule of the
 * kind. `prefix` is added before the name of the field if the fields are nested in the request body, such as `fields.`
 */
export async function withFieldErrors<T>(
  { table, linksByConstraint, constraints = {} }: RecordKind,
  work: () => Promise<T>,
  prefix = '',
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const name = constraintName(error)
    const link = linksByConstraint[name]
    if (link) throw new Refusal('not_found', { fields: { [prefix + link.field]: `This ${link.to.singular} is no longer here` } }, error)
    const constraint = constraints[name]
    if (constraint) throw new Refusal(constraint.code ?? 'invalid', { fields: { [prefix + constraint.field]: constraint.message } }, error)
    if (['claimed_id', `${table}_pkey`, `${table}_id`].includes(name))
      throw new Refusal('invalid', { fields: { id: 'This id is taken' } }, error)
    throw error
  }
}
