// An owned table has rows of users. These tests check the rules for all of them: the key, the owner, row security, triggers and foreign
// keys.
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '#server/testing/app.ts'
import { readMigrations } from './migrate.ts'

/** The tables that may break the rules for owned tables, with the reason. */
const exceptions: Record<string, string> = {
  users: 'has a password hash, which must not be in the journal; each row is itself an owner',
  sessions: 'has hashes of secrets, and an undo must not restore an ended session',
  password_resets: 'has hashes of secrets that work once',
  attempts: 'counts attempts by address, before the owner is known',
  used_page_tokens: 'has only hashes of page tokens of all owners; a token must stay used when its owner deletes the account',
  changesets: 'is the journal',
  journal: 'is the journal',
}

let tableOwner: pg.Client
beforeAll(async () => {
  tableOwner = new pg.Client((await cloneDatabase()).tableOwner)
  await tableOwner.connect()
  return () => tableOwner.end()
})

test('every table is journaled, has row security by owner, and has a key with which undo can restore its rows', async () => {
  expect(await findFaults()).toEqual([])
})

test('every exception names an existing table', async () => {
  const { rows } = await tableOwner.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace`,
  )
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(exceptions)))
})

test('the check reports every rule that a table breaks', async () => {
  // `loose` breaks most rules; `pets` has a policy without an owner, a foreign key that clears the owner, and the column `late`,
  // a generated column that is added after `attach_journal` and therefore missing in the list of the journal triggers
  await tableOwner.query('begin')
  await tableOwner.query(`create table loose (id uuid primary key, name text);
    create table pets (like profiles including defaults including generated, owner_id uuid, primary key (user_id, id),
      foreign key (user_id, owner_id) references crm_contacts on delete set null, tag text generated always as (full_name) stored);
    alter table pets enable row level security;
    create policy own on pets using (true);
    select app.attach_journal('pets');
    alter table pets add column late text generated always as (full_name) stored`)
  expect(await findFaults()).toEqual([
    'loose: has no primary key (user_id, id)',
    'loose: is not deleted with its owner by a foreign key named <table>_user_id_fkey',
    'loose: is not under row security',
    'loose: has no policy that compares the owner',
    'loose: lacks created_at, updated_at or version',
    'loose: has no trigger touch that compares all its columns',
    'loose: is not journaled',
    'pets: is not deleted with its owner by a foreign key named <table>_user_id_fkey',
    'pets: has no policy that compares the owner',
    'pets: has no trigger touch that compares all its columns',
    'pets: has a journal trigger with a wrong list of generated columns',
    'pets: pets_user_id_owner_id_fkey is not deferrable, or does not name the column to clear',
  ])
  await tableOwner.query('rollback')
})

test('app.set_up_record_table creates the same policies, triggers, grants, view and indexes as on companies', async () => {
  await tableOwner.query('begin')
  await tableOwner.query(`create table chairs (like companies including defaults including generated,
    primary key (user_id, id), foreign key (user_id) references users on delete cascade);
    select app.set_up_record_table('chairs')`)
  expect(await findFaults()).toEqual([])
  const [chairs, companies] = [await describeSetup('chairs'), await describeSetup('companies')]
  expect(chairs).toEqual(companies)
  expect(companies.length).toBeGreaterThan(12)
  await tableOwner.query('rollback')
})

test('app.set_up_owned_table sets up a table with an owner and without a journal, and refuses a table without the key', async () => {
  await tableOwner.query('begin')
  await tableOwner.query(`create table letters (user_id uuid not null references users on delete cascade, id uuid not null, primary key (user_id, id));
    select app.set_up_owned_table('letters');
    create table loose (user_id uuid not null references users on delete cascade, id uuid primary key)`)
  expect((await findFaults()).filter((fault) => fault.startsWith('letters'))).toEqual([])
  await expect(tableOwner.query(`select app.set_up_owned_table('loose')`)).rejects.toThrow('loose has no primary key (user_id, id)')
  await tableOwner.query('rollback')
})

test('a migration that changes columns of a journaled table adds these columns to app.column_changes', async () => {
  const { rows } = await tableOwner.query<{ name: string }>('select name from app.journaled_tables')
  const journaledTables = rows.map(({ name }) => name)
  const migrations = readMigrations(new URL('../../../database/migrations/', import.meta.url).pathname)
  expect(migrations.flatMap(({ text }) => findColumnChanges(text, journaledTables))).toContain('crm_contacts.tags')
  expect(migrations.flatMap(({ text }) => findUnrecordedChanges(text, journaledTables))).toEqual([])
})

test.each([
  ['alter table deals add column rank int not null default 0', ['deals.rank']],
  ['alter table deals add column rank int, add column place int not null default 0;', ['deals.place']],
  ['alter table only public.deals add if not exists rank int default 0 not null', ['deals.rank']],
  ['alter table deals rename column stage to step; alter table deals drop column amount', ['deals.stage', 'deals.amount']],
  ['alter table deals alter column rank set not null', ['deals.rank']],
  ['-- needs no app.column_changes\nalter table deals drop column if exists amount;', ['deals.amount']],
  [`alter table deals drop column amount; /* insert into app.column_changes values ('deals', 'amount'); */`, ['deals.amount']],
  [`alter table deals drop column amount; insert into app.column_changes values ('deals', 'stage'), ('tasks', 'amount')`, ['deals.amount']],
  [`alter table deals drop column amount; insert into app.column_changes (table_name, column_name) values ('deals', 'amount')`, []],
  ['alter table deals add column rank int; alter table jobs.jobs drop column rank; alter table sessions drop column place', []],
])('findUnrecordedChanges returns the columns that a migration changes and does not add to app.column_changes: %s', (text, columns) => {
  expect(findUnrecordedChanges(text, ['deals', 'tasks'])).toEqual(columns)
})

/**
 * Returns the changed columns of journaled tables that the migration does not add to app.column_changes, as `table.column`. The first
 * migrations call this table app.journal_drift, which was its name at that time.
 */
function findUnrecordedChanges(text: string, journaledTables: string[]): string[] {
  const inserts = splitStatements(text).filter((statement) => /^insert into app\.(column_changes|journal_drift)\b/i.test(statement))
  const recorded = inserts.flatMap((statement) =>
    [...statement.matchAll(/\(\s*'(\w+)'\s*,\s*'(\w+)'/g)].map(([, table, column]) => `${table}.${column}`),
  )
  return findColumnChanges(text, journaledTables).filter((change) => !recorded.includes(change))
}

/**
 * Returns the columns that a migration renames, drops or makes `not null`, as `table.column`. The patterns are for `rename column x to`,
 * `drop column x`, `add column x ... not null` and `alter column x set not null`; a part such as `(?!constraint\b)` excludes what is not a
 * column.
 */
function findColumnChanges(text: string, journaledTables: string[]): string[] {
  return splitStatements(text).flatMap((statement) => {
    const [, table = '', actions = ''] = /^alter table (?:if exists )?(?:only )?(?:public\.)?([\w.]+) (.*)$/is.exec(statement) ?? []
    if (!journaledTables.includes(table)) return []
    const changes = [
      ...actions.matchAll(/\brename (?:column )?(?!to\b|constraint\b)(\w+) to\b/gi),
      ...actions.matchAll(/\bdrop (?:column )?(?:if exists )?(?!column\b|constraint\b|if\b|not null|default\b|expression\b)(\w+)/gi),
      ...actions.matchAll(/\badd (?:column )?(?:if not exists )?(?!column\b|constraint\b|if\b)(\w+) [^,]*\bnot null/gi),
      ...actions.matchAll(/\balter (?:column )?(\w+) set not null/gi),
    ]
    return changes.map(([, column]) => `${table}.${column}`)
  })
}

/** Splits a migration into statements without comments. */
const splitStatements = (text: string): string[] =>
  text
    .replaceAll(/--.*$|\/\*[^]*?\*\//gm, '')
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())

/** Returns the policies, triggers, grants, the view and the common indexes of a table, without the indexes of its own sorts. */
async function describeSetup(table: string): Promise<string[]> {
  const { rows } = await tableOwner.query<{ text: string }>(
    `select pg_get_triggerdef(oid) as text from pg_trigger where tgrelid = $1::regclass and not tgisinternal and tgname <> 'rename_in_contacts'
     union all select pg_get_indexdef(indexrelid) from pg_index where indrelid = $1::regclass and indexrelid::regclass::text ~ '_(pkey|newest|search|words|tags)$'
     union all select concat_ws(' ', polname, polcmd, pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) from pg_policy where polrelid = $1::regclass
     union all select concat(relacl, relrowsecurity, reloptions) from pg_class where oid = $1::regclass
     union all select relacl::text || pg_get_viewdef(oid) from pg_class where oid = to_regclass($1 || '_find')`,
    [table],
  )
  return rows.map(({ text }) => text.replaceAll(table, 'TABLE')).toSorted()
}

/** SQL that is true if the table was set up by app.set_up_owned_table. */
const isNotJournaledSql = `coalesce(obj_description(t.oid, 'pg_class') = 'owned, not journaled', false)`

/**
 * Each possible fault of a table, with the SQL condition that is true for tables without this fault. `t` is the row of the table in
 * pg_class, `k` a constraint, `p` a policy, `a` a column, `g` a trigger. A journaled table has six triggers of app.write_journal: for
 * insert, update and delete, each for changes by a statement of the application (`direct`) and for changes that the database makes as a
 * consequence (`cascade`). Their arguments are `direct` or `cascade`, which is the third part of the trigger's name, and the generated
 * columns; in `tgargs` each argument ends with a zero byte.
 */
const rules: Record<string, string> = {
  'has no primary key (user_id, id)': `exists (select from pg_constraint k where k.conrelid = t.oid and pg_get_constraintdef(k.oid) = 'PRIMARY KEY (user_id, id)')`,
  // `isMissingOwnerError` in server/platform/error-code.ts recognises the foreign key by its name
  'is not deleted with its owner by a foreign key named <table>_user_id_fkey': `exists (select from pg_constraint k where k.conrelid = t.oid
    and k.conname = t.relname || '_user_id_fkey' and pg_get_constraintdef(k.oid) = 'FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE')`,
  // row security is not forced, so the role that owns the tables can read and write the rows of all users
  'is not under row security': 't.relrowsecurity and not t.relforcerowsecurity',
  'has no policy that compares the owner': `exists (select from pg_policy p where p.polrelid = t.oid)
    and not exists (select from pg_policy p where p.polrelid = t.oid and (p.polcmd <> '*'
      or pg_get_expr(p.polqual, p.polrelid) <> '(user_id = app.owner())' or pg_get_expr(p.polwithcheck, p.polrelid) <> '(user_id = app.owner())'))`,
  'lacks created_at, updated_at or version': `${isNotJournaledSql} or 3 = (select count(*) from pg_attribute a where a.attrelid = t.oid
    and a.attname || ' ' || format_type(a.atttypid, null) in ('created_at timestamp with time zone', 'updated_at timestamp with time zone', 'version integer'))`,
  'has no trigger touch that compares all its columns': `${isNotJournaledSql} or exists (select from pg_trigger g join pg_proc f on f.oid = g.tgfoid
    where g.tgrelid = t.oid and g.tgname = 'touch' and f.proname = 'touch_' || t.relname and strpos(f.prosrc, (
      select '(' || string_agg('new.' || quote_ident(a.attname), ', ' order by a.attnum) || ')'
      from pg_attribute a where a.attrelid = t.oid and a.attnum > 0 and a.attgenerated = '' and not a.attisdropped)) > 0)`,
  'is not journaled': `${isNotJournaledSql} or 6 = (select count(*) from pg_trigger g where g.tgrelid = t.oid and g.tgfoid = 'app.write_journal'::regproc and g.tgenabled = 'O')`,
  'has a journal trigger with a wrong list of generated columns': `not exists (select from pg_trigger g where g.tgrelid = t.oid and g.tgfoid = 'app.write_journal'::regproc
    and g.tgargs <> convert_to(split_part(g.tgname, '_', 3), 'UTF8') || '\\x00'::bytea || coalesce((select string_agg(convert_to(a.attname, 'UTF8') || '\\x00'::bytea, '' order by a.attnum)
      from pg_attribute a where a.attrelid = t.oid and a.attgenerated <> '' and not a.attisdropped), ''))`,
}

/**
 * Selects the foreign keys that break a rule: they must be deferrable, because an undo restores rows in any order, and `on delete set null`
 * must name the column of the link, so that it does not clear the owner. The letters of confdeltype are `a` for no action, `c` for cascade
 * and `n` for set null.
 */
const faultyLinksSql = `
  select t.relname as name, k.conname || ' is not deferrable, or does not name the column to clear' as fault
  from pg_constraint k join pg_class t on t.oid = k.conrelid join app.journaled_tables p on p.oid = k.confrelid
  where k.contype = 'f' and t.relname <> all ($1) and not (k.condeferrable and not k.condeferred and cardinality(k.conkey) = 2 and k.confdeltype in ('a', 'c', 'n')
    and (k.confdeltype <> 'n' or cardinality(k.confdelsetcols) = 1))`

/** Returns the faults of all tables as "table: fault". */
async function findFaults(): Promise<string[]> {
  const checks = Object.entries(rules).map(
    ([fault, rule], position) => `select t.relname as name, ${position} as position, ${pg.escapeLiteral(fault)} as fault from pg_class t
      where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and not t.relispartition and t.relname <> all ($1) and not (${rule})`,
  )
  const query = `select name || ': ' || fault as text from (${checks.join(' union all ')} union all select name, 99, fault from (${faultyLinksSql}) l) f order by name, position`
  const { rows } = await tableOwner.query<{ text: string }>(query, [Object.keys(exceptions)])
  return rows.map(({ text }) => text)
}
