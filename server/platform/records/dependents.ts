// A dependent of a record is a row that refers to the record, and that is deleted or unlinked when the record is deleted.
import pg from 'pg'
import { sql } from '#server/platform/database/database.ts'

/**
 * The maximum number of dependents of records that are deleted in one transaction. With more, a job deletes them: see `deleteOrStartJob`.
 */
const maxDependents = 1000

/**
 * A foreign key from the table `child` to the deleted records. `canHaveDependents`: the rows of `child` are deleted too and can have
 * dependents themselves, such as a folder in the deleted folder, which has files.
 */
type Reference = { child: string; column: string; canHaveDependents: boolean }

/** The SQL of the check by table; an empty text if nothing refers to the table. The foreign keys change only by a migration. */
const checks = new Map<string, string>()

/**
 * Returns SQL that raises a database error with the constraint `large_delete` if more than `maxDependents` rows depend on the records with
 * the ids `$2` of the owner `$1`; an empty text if nothing can depend on them. Reads the foreign keys (`l`) once for each table. `own` is a
 * foreign key to the child itself.
 */
export async function readLargeDeleteCheck(table: string): Promise<string> {
  const known = checks.get(table)
  if (known !== undefined) return known
  const references = await sql<Reference>(
    `select child, column_name as column, cascades and exists (select from app.journal_links own where own.parent = l.child) as "canHaveDependents"
     from app.journal_links l where parent = $1 and (cascades or not required)`,
    [table],
  )
  const check = references.length === 0 ? '' : buildCheck(table, references)
  checks.set(table, check)
  return check
}

/**
 * Returns the SQL of the check. It counts the direct dependents itself, which is fast. It calls the slower function
 * `app.refuse_large_delete`, which also counts their dependents, only if there are too many or if one of them can have dependents.
 */
function buildCheck(table: string, references: readonly Reference[]): string {
  const select = ({ child, column }: Reference): string =>
    `select from ${pg.escapeIdentifier(child)} where user_id = $1 and ${pg.escapeIdentifier(column)} = any ($2)`
  const counts = references.map((reference) => `(select count(*) from (${select(reference)} limit ${maxDependents + 1}) dependents)`)
  const existsConditions = references
    .filter(({ canHaveDependents }) => canHaveDependents)
    .map((reference) => ` or exists (${select(reference)})`)
  return `select app.refuse_large_delete(${pg.escapeLiteral(table)}, $2, ${maxDependents})
    where ${counts.join(' + ')} > ${maxDependents}${existsConditions.join('')}`
}
