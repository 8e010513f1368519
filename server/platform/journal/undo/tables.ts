import { sql } from '#server/platform/database/database.ts'

/**
 * A foreign key from `column` of the table `child` to the table `parent`. `required`: the column is not null. `cascades`: the child is
 * deleted with the parent.
 */
type Link = { child: string; parent: string; column: string; required: boolean; cascades: boolean }

/** Two columns that must agree, such as the name of a company and the link to it. An undo reverts or skips them together. */
type ColumnPair = { table: string; column: string; partner: string }

/** A journaled table with the foreign keys from it to its parents (`linksToParents`) and from its children to it (`linksFromChildren`). */
export type JournaledTable = {
  name: string
  /** All columns except generated ones. */
  columns: string[]
  linksToParents: Link[]
  linksFromChildren: Link[]
  /** Each pair in both directions. */
  pairs: ColumnPair[]
  /** Whether the application's role has the DELETE privilege on the table. If not, an undo skips the rows that it would delete. */
  hasDeletePrivilege: boolean
}

/**
 * Selects the column pairs. SQL aliases: `d` is a comment, `c` a table, `a` a column. The comment of a column in the database names its
 * partner, for example "undone together with company_id".
 */
const selectPairs = `select c.relname as table, a.attname as column, partner[1] as partner
  from pg_description d
  join pg_class c on c.oid = d.objoid and c.relnamespace = 'public'::regnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum = d.objsubid
  cross join regexp_match(d.description, '^undone together with (\\w+)$') partner
  where d.classoid = 'pg_class'::regclass and d.objsubid > 0 and partner is not null`

/** Reads all journaled tables from the PostgreSQL catalog, parents before children. */
export async function readTables(): Promise<JournaledTable[]> {
  const [tables, links, pairs] = await Promise.all([
    sql<Pick<JournaledTable, 'name' | 'columns' | 'hasDeletePrivilege'>>(`
      select t.name, has_table_privilege(t.oid, 'delete') as "hasDeletePrivilege",
        array(select a.attname::text from pg_attribute a
          where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns
      from app.journaled_tables t`),
    sql<Link>('select child, parent, column_name as column, required, cascades from app.journal_links order by child, column_name'),
    sql<ColumnPair>(selectPairs),
  ])
  // the comment is on one column of the pair only
  const bothDirections = pairs.flatMap((pair) => [pair, { ...pair, column: pair.partner, partner: pair.column }])
  const journaledTables = tables.map((table) => ({
    ...table,
    linksToParents: links.filter(({ child }) => child === table.name),
    linksFromChildren: links.filter(({ parent }) => parent === table.name),
    pairs: bothDirections.filter((pair) => pair.table === table.name),
  }))
  const depths = new Map(journaledTables.map(({ name }) => [name, computeDepth(name, links)]))
  const depthOf = ({ name }: JournaledTable): number => depths.get(name) ?? 0
  return journaledTables.toSorted((a, b) => depthOf(a) - depthOf(b) || a.name.localeCompare(b.name))
}

/** Returns the length of the longest chain of parents above a table. Ignores links to the table itself and cycles (`descendants`). */
function computeDepth(name: string, links: Link[], descendants: string[] = []): number {
  const parents = links.filter(({ child, parent }) => child === name && parent !== name && !descendants.includes(parent))
  return Math.max(0, ...parents.map(({ parent }) => 1 + computeDepth(parent, links, [...descendants, name])))
}
