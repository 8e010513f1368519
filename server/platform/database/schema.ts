// Writes the schema of the database as SQL text, from the catalogs of PostgreSQL, and answers questions about it.
import type pg from 'pg'

/**
 * Returns an SQL condition that is true if an object of a catalog belongs neither to PostgreSQL nor to an extension. The caller's query
 * must have the alias `n` for the schema of the object (a row of pg_namespace).
 */
export const isOwnObject = (oid: string, catalog: string): string =>
  `n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'
   and not exists (select from pg_depend x where x.classid = '${catalog}'::regclass and x.objid = ${oid} and x.deptype = 'e')`

/** Returns whether the database has the table. The name contains its schema: "app.migrations". */
export async function tableExists(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [table])
  return rows[0]?.exists === true
}

/**
 * Returns SQL for the GRANT statements of an object, without those to its owner. `kind`: a word such as "table". The other arguments are SQL
 * expressions: the access list of the object, its owner and its name. An access list that is null gives no statement; it stands for the
 * default privileges. By default everybody can execute a function, so the query of the functions replaces null by the default privileges.
 */
const grants = (kind: string, acl: string, owner: string, object: string): string => `array(
  select format('grant %s on ${kind} %s to %s;', string_agg(lower(a.privilege_type), ', ' order by a.privilege_type), ${object},
    coalesce(g.rolname, 'public'))
  from aclexplode(${acl}) a left join pg_roles g on g.oid = a.grantee where a.grantee <> ${owner} group by g.rolname order by g.rolname)`

/*
 * Each of the following queries returns the SQL text of all objects of one kind. Letters in the catalogs of PostgreSQL: relkind `r` is a
 * table, `p` a partitioned table, `v` a view; contype `p` is a primary key, `u` unique, `c` a check, `f` a foreign key, `x` an exclusion.
 * Aliases: `c` is a table or view, `a` a column, `d` its default, `k` a constraint, `i` and `x` an index, `p` a policy or a function, `t` a
 * trigger, `s` a sequence. `E'\n'` is a line break.
 */

const extensions = `select format('create extension %I;', extname) as text from pg_extension where extname <> 'plpgsql' order by extname`

const schemas = `
  select concat_ws(E'\\n', format('create schema %I;', n.nspname), nullif(array_to_string(${grants('schema', 'n.nspacl', 'n.nspowner', 'n.nspname')}, E'\\n'), '')) as text
  from pg_namespace n where ${isOwnObject('n.oid', 'pg_namespace')} order by n.nspname`

const tables = `
  select concat_ws(E'\\n',
    format('create %stable %s (', case when c.relpersistence = 'u' then 'unlogged ' else '' end, c.oid::regclass),
    array_to_string(array(
      select format('  %I %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod), case when a.attnotnull then ' not null' else '' end,
        case when d.adbin is null then '' when a.attgenerated = 's' then format(' generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid))
          else ' default ' || pg_get_expr(d.adbin, d.adrelid) end || case when a.attidentity <> '' then ' generated as identity' else '' end)
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attnum
    ) || array(
      select format('  constraint %I %s', k.conname, pg_get_constraintdef(k.oid)) from pg_constraint k
      where k.conrelid = c.oid and k.contype in ('p', 'u', 'c', 'f', 'x') order by strpos('pucfx', k.contype::text), k.conname
    ), E',\\n'),
    case when c.relkind = 'p' then ') partition by ' || pg_get_partkeydef(c.oid) || ';' else ');' end,
    nullif(array_to_string(array(
      select pg_get_indexdef(i.indexrelid) || ';' from pg_index i join pg_class x on x.oid = i.indexrelid
      where i.indrelid = c.oid and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.conrelid = c.oid) order by x.relname
    ) || case when c.relrowsecurity then array[format('alter table %s enable row level security;', c.oid::regclass)] end
      || case when c.relforcerowsecurity then array[format('alter table %s force row level security;', c.oid::regclass)] end
      || array(
      select format('create policy %I on %s%s for %s%s%s;', p.polname, c.oid::regclass, case when p.polpermissive then '' else ' as restrictive' end,
        case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
        ' using ' || pg_get_expr(p.polqual, p.polrelid), ' with check ' || pg_get_expr(p.polwithcheck, p.polrelid))
      from pg_policy p where p.polrelid = c.oid order by p.polname
    ) || ${grants('table', 'c.relacl', 'c.relowner', 'c.oid::regclass')} || array(
      select pg_get_triggerdef(t.oid) || ';' from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal order by t.tgname
    ), E'\\n'), '')) as text
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition and ${isOwnObject('c.oid', 'pg_class')}
  order by n.nspname, c.relname`

const sequences = `
  select format('create sequence %s as %s increment by %s cache %s;', c.oid::regclass, format_type(s.seqtypid, null), s.seqincrement, s.seqcache) as text
  from pg_sequence s join pg_class c on c.oid = s.seqrelid join pg_namespace n on n.oid = c.relnamespace
  where ${isOwnObject('c.oid', 'pg_class')} and not exists (select from pg_depend i where i.objid = c.oid and i.deptype = 'i') order by n.nspname, c.relname`

const views = `
  select concat_ws(E'\\n', format('create view %s%s as', c.oid::regclass, ' with (' || array_to_string(c.reloptions, ', ') || ')'), pg_get_viewdef(c.oid),
    nullif(array_to_string(${grants('table', 'c.relacl', 'c.relowner', 'c.oid::regclass')}, E'\\n'), '')) as text
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'v' and ${isOwnObject('c.oid', 'pg_class')} order by n.nspname, c.relname`

const functions = `
  select concat_ws(E'\\n', case when p.prokind = 'a'
      then format('create aggregate %s (sfunc = %s, stype = %s, initcond = %L);', p.oid::regprocedure, g.aggtransfn, format_type(g.aggtranstype, null), g.agginitval)
      else rtrim(pg_get_functiondef(p.oid), E'\\n ') || ';' end,
    nullif(array_to_string(${grants('function', `coalesce(p.proacl, acldefault('f', p.proowner))`, 'p.proowner', 'p.oid::regprocedure')}, E'\\n'), '')) as text
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace left join pg_aggregate g on g.aggfnoid = p.oid
  where ${isOwnObject('p.oid', 'pg_proc')} order by n.nspname, p.proname, p.oid::regprocedure::text`

/**
 * Returns the schema that the migrations created as SQL text in a fixed order. Partitions are omitted, because they depend on the date.
 * Uses the catalogs and not `pg_dump`, which is not part of the embedded PostgreSQL. `tableOwner` connects as the role that owns the tables.
 */
export async function describeSchema(tableOwner: pg.Client): Promise<string> {
  await tableOwner.query('begin; set local search_path = pg_catalog') // so that PostgreSQL writes every name with its schema
  const parts: string[] = ['-- Written by `npm run schema` from the migrations; not to be edited.']
  for (const query of [extensions, schemas, tables, sequences, views, functions]) {
    const { rows } = await tableOwner.query<{ text: string }>(query)
    parts.push(...rows.map(({ text }) => text))
  }
  await tableOwner.query('commit')
  return `${parts.join('\n\n')}\n`
}
