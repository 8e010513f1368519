import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '#server/testing/app.ts'
import { readMigrations } from './migrate.ts'

/** Tables that break the rules for owned tables, and why. */
const exceptions: Record<string, string> = {
  users: 'holds a password hash, which is never journaled; a user is the owner',
  sessions: 'holds hashes of secrets, and bringing back an ended session would be wrong',
  password_resets: 'holds hashes of secrets that work once',
  attempts: 'counts tries of addresses, before there is an owner',
  changesets: 'is the journal',
  journal: 'is the journal',
}

let owner: pg.Client
beforeAll(async () => {
  owner = new pg.Client((await cloneDatabase()).owner)
  await owner.connect()
  return () => owner.end()
})

test('every table is journaled, has row security by owner, and has a key with which undo can restore its rows', async () => {
  expect(await faults()).toEqual([])
})

test('each exception is a table', async () => {
  const { rows } = await owner.query<{ name: string }>(`select relname as name from pg_class where relnamespace = 'public'::regnamespace`)
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(exceptions)))
})

test('a table that breaks the rules is found, with each rule that it breaks', async () => {
  await owner.query('begin')
  await owner.query(`create table loose (id uuid primary key, name text);
    create table pets (like profiles including defaults including generated, owner_id uuid, primary key (user_id, id),
      foreign key (user_id, owner_id) references crm_contacts on delete set null, tag text generated always as (full_name) stored);
    alter table pets enable row level security;
    create policy own on pets using (true);
    select app.attach_journal('pets');
    alter table pets add column late text generated always as (full_name) stored`)
  expect(await faults()).toEqual([
    'loose: has no primary key (user_id, id)',
    'loose: is not deleted with its owner',
    'loose: is not under row security',
    'loose: has no policy that compares the owner',
    'loose: lacks created_at, updated_at or version',
    'loose: has no trigger touch',
    'loose: is not journaled',
    'pets: is not deleted with its owner',
    'pets: has no policy that compares the owner',
    'pets: has no trigger touch',
    'pets: is journaled with other generated columns than it has',
    'pets: pets_user_id_owner_id_fkey is not deferrable, or does not name the column to clear',
  ])
  await owner.query('rollback')
})

test('app.set_up_record_table creates the same policies, triggers, grants, view and indexes as on companies', async () => {
  await owner.query('begin')
  await owner.query(`create table chairs (like companies including defaults including generated,
    primary key (user_id, id), foreign key (user_id) references users on delete cascade);
    select app.set_up_record_table('chairs')`)
  expect(await faults()).toEqual([])
  const [chairs, companies] = [await surroundings('chairs'), await surroundings('companies')]
  expect(chairs).toEqual(companies)
  expect(companies.length).toBeGreaterThan(12)
  await owner.query('rollback')
})

test('app.set_up_owned_table gives a table an owner and no journal, and refuses one without the key', async () => {
  await owner.query('begin')
  await owner.query(`create table letters (user_id uuid not null references users on delete cascade, id uuid not null, primary key (user_id, id));
    select app.set_up_owned_table('letters');
    create table loose (user_id uuid not null references users on delete cascade, id uuid primary key)`)
  expect((await faults()).filter((fault) => fault.startsWith('letters'))).toEqual([])
  await expect(owner.query(`select app.set_up_owned_table('loose')`)).rejects.toThrow('loose has no primary key (user_id, id)')
  await owner.query('rollback')
})

test('a migration that changes columns of journaled rows adds them to app.column_changes', () => {
  const moving = /alter table (?!jobs\.)[^;]*(rename column|drop column|add column[^;,]*not null)/i
  const silent = readMigrations(new URL('../../../database/migrations/', import.meta.url).pathname).filter(
    ({ text }) => moving.test(text) && !/app\.(column_changes|journal_drift)/.test(text),
  )
  expect(silent.map(({ name }) => name)).toEqual([])
  expect(moving.test('alter table deals add column stage text not null')).toBe(true)
})

/** Policies, triggers, grants, the view and the common indexes of a table, without the indexes of its own sorts. */
async function surroundings(table: string): Promise<string[]> {
  const { rows } = await owner.query<{ text: string }>(
    `select pg_get_triggerdef(oid) as text from pg_trigger where tgrelid = $1::regclass and not tgisinternal
     union all select pg_get_indexdef(indexrelid) from pg_index where indrelid = $1::regclass and indexrelid::regclass::text ~ '_(pkey|newest|search|words|tags)$'
     union all select concat_ws(' ', polname, polcmd, pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) from pg_policy where polrelid = $1::regclass
     union all select concat(relacl, relrowsecurity, reloptions) from pg_class where oid = $1::regclass
     union all select relacl::text || pg_get_viewdef(oid) from pg_class where oid = to_regclass($1 || '_find')`,
    [table],
  )
  return rows.map(({ text }) => text.replaceAll(table, 'TABLE')).toSorted()
}

/** The table is set up by app.set_up_owned_table. */
const isNotJournaled = `coalesce(obj_description(t.oid, 'pg_class') = 'owned, not journaled', false)`

/** The rules for every table, as conditions on `t`, its row in pg_class. */
const rules: Record<string, string> = {
  'has no primary key (user_id, id)': `exists (select from pg_constraint k where k.conrelid = t.oid and pg_get_constraintdef(k.oid) = 'PRIMARY KEY (user_id, id)')`,
  'is not deleted with its owner': `exists (select from pg_constraint k where k.conrelid = t.oid
    and pg_get_constraintdef(k.oid) = 'FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE')`,
  'is not under row security': 't.relrowsecurity and not t.relforcerowsecurity',
  'has no policy that compares the owner': `exists (select from pg_policy p where p.polrelid = t.oid)
    and not exists (select from pg_policy p where p.polrelid = t.oid and (p.polcmd <> '*'
      or pg_get_expr(p.polqual, p.polrelid) <> '(user_id = app.owner())' or pg_get_expr(p.polwithcheck, p.polrelid) <> '(user_id = app.owner())'))`,
  'lacks created_at, updated_at or version': `${isNotJournaled} or 3 = (select count(*) from pg_attribute a where a.attrelid = t.oid
    and a.attname || ' ' || format_type(a.atttypid, null) in ('created_at timestamp with time zone', 'updated_at timestamp with time zone', 'version integer'))`,
  'has no trigger touch': `${isNotJournaled} or exists (select from pg_trigger g where g.tgrelid = t.oid and g.tgfoid = 'app.touch'::regproc)`,
  'is not journaled': `${isNotJournaled} or 6 = (select count(*) from pg_trigger g where g.tgrelid = t.oid and g.tgfoid = 'app.write_journal'::regproc and g.tgenabled = 'O')`,
  'is journaled with other generated columns than it has': `not exists (select from pg_trigger g where g.tgrelid = t.oid and g.tgfoid = 'app.write_journal'::regproc
    and g.tgargs <> convert_to(split_part(g.tgname, '_', 3), 'UTF8') || '\\x00'::bytea || coalesce((select string_agg(convert_to(a.attname, 'UTF8') || '\\x00'::bytea, '' order by a.attnum)
      from pg_attribute a where a.attrelid = t.oid and a.attgenerated <> '' and not a.attisdropped), ''))`,
}

/** Undo restores rows in any order, and clearing a link must not clear the owner. */
const links = `
  select t.relname as name, k.conname || ' is not deferrable, or does not name the column to clear' as fault
  from pg_constraint k join pg_class t on t.oid = k.conrelid join app.journaled_tables p on p.oid = k.confrelid
  where k.contype = 'f' and t.relname <> all ($1) and not (k.condeferrable and not k.condeferred and cardinality(k.conkey) = 2 and k.confdeltype in ('a', 'c', 'n')
    and (k.confdeltype <> 'n' or cardinality(k.confdelsetcols) = 1))`

async function faults(): Promise<string[]> {
  const checks = Object.entries(rules).map(
    ([fault, rule], place) => `select t.relname as name, ${place} as place, ${pg.escapeLiteral(fault)} as fault from pg_class t
      where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and not t.relispartition and t.relname <> all ($1) and not (${rule})`,
  )
  const query = `select name || ': ' || fault as text from (${checks.join(' union all ')} union all select name, 99, fault from (${links}) l) f order by name, place`
  const { rows } = await owner.query<{ text: string }>(query, [Object.keys(exceptions)])
  return rows.map(({ text }) => text)
}
