import { sql } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/batch.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { constraintName } from '#server/platform/error-code.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { RecordKind } from './kind.ts'

/** One record of the owner, or `not_found`. */
export async function readRecord<Kept extends Row>({ table, columns }: RecordKind, owner: string, id: string): Promise<Kept> {
  const [row] = await sql<Kept>(`select ${columns} from ${table} c where user_id = $1 and id = $2`, [owner, id])
  if (!row) throw new Refusal('not_found')
  return row
}

export async function insertRecord<Kept extends Row>(
  { table, columns }: RecordKind,
  owner: string,
  id: string,
  fields: Record<string, unknown>,
): Promise<Kept | undefined> {
  const names = Object.keys(fields)
  const [row] = await sql<Kept>(
    `insert into ${table} as c (user_id, id, ${names.join(', ')})
     values ($1, $2, ${names.map((_, index) => `$${index + 3}`).join(', ')}) returning ${columns}`,
    [owner, id, ...Object.values(fields)],
  )
  return row
}

/** Inserts under the id that the caller made, unless a record of the owner has it, of whatever kind and be it in the trash; or under a new one. */
export async function insertUnder<T>(given: string | undefined, insert: (id: string) => Promise<T>): Promise<T> {
  if (given === undefined) return insert(newId())
  const [, inserted] = await Promise.all([sql('select app.claim_id($1)', [given]), insert(given)])
  return inserted
}

/** Changes what the patch names. With a version: only on top of it, and nothing when the row has moved on. */
export async function updateRecord<Kept extends Row>(
  { table, columns, writable, check }: RecordKind,
  owner: string,
  id: string,
  patch: Readonly<Record<string, unknown>>,
  version?: number,
): Promise<Kept | undefined> {
  const [, [row]] = await Promise.all([
    check?.([id], patch),
    sql<Kept>(
      `update ${table} c set (${writable.join(', ')}) =
         (select ${writable.map((column) => `wanted.${column}`).join(', ')} from jsonb_populate_record(c, $3) wanted)
       where user_id = $1 and id = $2 and ($4::int is null or version = $4) returning ${columns}`,
      [owner, id, JSON.stringify(patch), version ?? null],
    ),
  ])
  return row
}

/** Names the field, by where it stands in the body, when a write points at a record that is not there, takes an id that is, or breaks a rule of the kind. */
export async function writing<T>({ table, links, rules = {} }: RecordKind, work: () => Promise<T>, place = ''): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const constraint = constraintName(error)
    const link = links[constraint]
    if (link) throw new Refusal('not_found', { fields: { [place + link.field]: `This ${link.to.singular} is no longer here` } }, error)
    const rule = rules[constraint]
    if (rule) throw new Refusal('invalid', { fields: { [place + rule.field]: rule.says } }, error)
    if (constraint === 'claimed_id' || constraint === `${table}_pkey`)
      throw new Refusal('invalid', { fields: { id: 'This id is taken' } }, error)
    throw error
  }
}
