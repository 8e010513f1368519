import pg from 'pg'
import { readFingerprint } from '../database/installation-key.ts'
import { migrationsFolder, readMigrations } from '../database/migrate.ts'
import { tableExists } from '../database/schema.ts'
import { fingerprintOf, type KeyFile } from '../security/key-file.ts'
import { countOf, error, formatBytes, listSome, ok, warning, type CheckContext, type Finding } from './check.ts'

/** The largest difference between the clocks of the database and of this process. */
const maxClockDifferenceMs = 5000

type AppliedMigration = { name: string; checksum: string }

/** Checks that the database answers, and that its clock agrees with ours. */
export async function checkDatabase({ tableOwner }: CheckContext): Promise<Finding[]> {
  const { rows } = await tableOwner.query<{ version: string; bytes: string; now: Date }>(
    `select current_setting('server_version') as version, pg_database_size(current_database()) as bytes, clock_timestamp() as now`,
  )
  const [server] = rows
  if (!server) return [error('The database sent no rows.')]
  const difference = Math.abs(server.now.getTime() - Date.now())
  if (difference > maxClockDifferenceMs)
    return [warning(`The clocks of the database and of this machine differ by ${Math.round(difference / 1000)} s. Set them by NTP.`)]
  return [ok(`PostgreSQL ${server.version} answers. The database has ${formatBytes(Number(server.bytes))}.`)]
}

/** Checks that the key belongs to the database. Reports nothing if it does, because another check says that the key is valid. */
export async function checkKey(tableOwner: pg.Client, { path, find }: KeyFile): Promise<Finding[]> {
  const [fingerprint, key] = [await readFingerprint(tableOwner), find()]
  if (fingerprint === undefined || key === undefined || fingerprintOf(key) === fingerprint) return []
  return [error(`${path} is not the key of this database. Restore it from a backup; if it is lost, run npm run accept-key.`)]
}

/** Checks that exactly the migrations of this version have run, with the same text. */
export async function checkMigrations({ tableOwner }: CheckContext, folder = migrationsFolder): Promise<Finding[]> {
  const rows = await readAppliedMigrations(tableOwner)
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]))
  const migrations = readMigrations(folder)
  const knownNames = new Set(migrations.map(({ name }) => name))
  const pending = migrations.filter(({ name }) => !applied.has(name))
  const changed = migrations.filter(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum)
  const unknown = rows.filter(({ name }) => !knownNames.has(name))
  const findings: Finding[] = []
  const namesOf = (list: { name: string }[]): string => listSome(list.map(({ name }) => name))
  if (pending.length > 0) findings.push(error(`${countOf(pending.length, 'migration')} did not run: ${namesOf(pending)}. Start Foyer.`))
  if (unknown.length > 0)
    findings.push(error(`A newer version of Foyer has run ${namesOf(unknown)}. Start the newer version, or restore a backup.`))
  if (changed.length > 0) findings.push(error(`${namesOf(changed)} was changed after it had run. Restore its old text.`))
  return findings.length > 0 ? findings : [ok(`All ${migrations.length} migrations have run.`)]
}

/** Returns the migrations that have run; none in a new database, which has no table of them yet. */
async function readAppliedMigrations(tableOwner: pg.Client): Promise<AppliedMigration[]> {
  if (!(await tableExists(tableOwner, 'app.migrations'))) return []
  return (await tableOwner.query<AppliedMigration>('select name, checksum from app.migrations')).rows
}

/**
 * Checks that row security applies to each table that the application's role can read, that each policy compares the owner in reads and in
 * writes, and that each table of records is journaled, that is, has the six triggers of app.write_journal. A policy without an expression
 * for reads or for writes is not reported: the comparison with null is null. SQL aliases: `t` and `c` are tables, `p` is a policy, `g` a
 * trigger.
 */
export async function checkRowSecurity({ tableOwner, journaledTables }: CheckContext, application: pg.ClientConfig): Promise<Finding[]> {
  const unprotectedTables = await findTablesWithoutRowSecurity(application)
  const { rows: policies } = await tableOwner.query<{ name: string }>(
    `select p.polrelid::regclass || '.' || p.polname as name from pg_policy p join pg_class t on t.oid = p.polrelid
     where t.relnamespace = 'public'::regnamespace
       and (pg_get_expr(p.polqual, p.polrelid) not like '%= app.owner())'
         or pg_get_expr(p.polwithcheck, p.polrelid) not like '%= app.owner())')
     order by name`,
  )
  const { rows: unjournaled } = await tableOwner.query<{ name: string }>(
    `select t.name from unnest($1::text[]) t (name) where 6 <> (select count(*) from pg_trigger g
       where g.tgrelid = to_regclass('public.' || t.name) and g.tgfoid = 'app.write_journal'::regproc and g.tgenabled = 'O')`,
    [journaledTables],
  )
  const findings: Finding[] = []
  const advice = 'Restore a backup into a new database, which creates the tables again.'
  if (unprotectedTables.length > 0)
    findings.push(
      error(`Row security does not apply to ${listSome(unprotectedTables)}, so that accounts could read the rows of others. ${advice}`),
    )
  if (policies.length > 0)
    findings.push(error(`The owner is not compared by the policies ${listSome(policies.map(({ name }) => name))}. ${advice}`))
  if (unjournaled.length > 0)
    findings.push(error(`Changes of ${listSome(unjournaled.map(({ name }) => name))} are not written to the journal. ${advice}`))
  return findings.length > 0 ? findings : [ok('Row security applies to all tables, and changes of all records are journaled.')]
}

async function findTablesWithoutRowSecurity(application: pg.ClientConfig): Promise<string[]> {
  const client = new pg.Client(application)
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and has_table_privilege(c.oid, 'select') and not row_security_active(c.oid) order by 1`,
    )
    return rows.map(({ name }) => name)
  } finally {
    await client.end()
  }
}
