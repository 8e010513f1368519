import { sql } from '#server/platform/database/database.ts'

/** A foreign key from `column` of the table `child` to the table `parent`. `required`: the column is not null. */
type Link = { child: string; parent: string; column: string; required: boolean }

/** A journaled table with the foreign keys from it (`links`) and to it (`references`). */
export type OwnedTable = {
  name: string
  /** All columns except generated ones. */
  columns: string[]
  links: Link[]
  references: Link[]
  canDelete: boolean
}

/** Reads all journaled tables from the PostgreSQL catalog, parents before children. */
export async function readTables(): Promise<OwnedTable[]> {
  const [tables, links] = await Promise.all([
    sql<Pick<OwnedTable, 'name' | 'columns' | 'canDelete'>>(`
      select t.name, has_table_privilege(t.oid, 'delete') as "canDelete",
        array(select a.attname::text from pg_attribute a
          where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns
      from app.journaled_tables t`),
    sql<Link>('select child, parent, column_name as column, required from app.journal_links order by child, column_name'),
  ])
  const ownedTables = tables.map((table) => ({
    ...table,
    links: links.filter(({ child }) => child === table.name),
    references: links.filter(({ parent }) => parent === table.name),
  }))
  const depths = new Map(ownedTables.map(({ name }) => [name, computeDepth(name, links)]))
  const depthOf = ({ name }: OwnedTable): number => depths.get(name) ?? 0
  return ownedTables.toSorted((a, b) => depthOf(a) - depthOf(b) || a.name.localeCompare(b.name))
}

/** Returns the length of the longest chain of parents above a table. Ignores links to the table itself and cycles (`descendants`). */
function computeDepth(name: string, links: Link[], descendants: string[] = []): number {
  const parents = links.filter(({ child, parent }) => child === name && parent !== name && !descendants.includes(parent))
  return Math.max(0, ...parents.map(({ parent }) => 1 + computeDepth(parent, links, [...descendants, name])))
}
