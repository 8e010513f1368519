import { sql } from '#server/platform/database/database.ts'

/** A column of `child` that holds the id of a row of `parent`; `required` when it cannot be null. */
type Link = { child: string; parent: string; column: string; required: boolean }

/** A journaled table as undo sees it: `links` lead from it, `references` lead to it. */
export type OwnedTable = {
  name: string
  /** Everything but generated columns. */
  columns: string[]
  links: Link[]
  references: Link[]
  canDelete: boolean
}

/** All journaled tables, parents before children. Read from the catalogue each time, so that it is right after any migration. */
export async function readTables(): Promise<OwnedTable[]> {
  const [tables, links] = await Promise.all([
    sql<Pick<OwnedTable, 'name' | 'columns' | 'canDelete'>>(`
      select t.name, has_table_privilege(t.oid, 'delete') as "canDelete",
        array(select a.attname::text from pg_attribute a
          where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns
      from app.journaled_tables t`),
    sql<Link>('select child, parent, column_name as column, required from app.journal_links order by child, column_name'),
  ])
  const joined = tables.map((table) => ({
    ...table,
    links: links.filter(({ child }) => child === table.name),
    references: links.filter(({ parent }) => parent === table.name),
  }))
  return joined.toSorted((one, other) => depthOf(one.name, links) - depthOf(other.name, links) || one.name.localeCompare(other.name))
}

/** The number of parents above a table, without links to itself and cycles. */
function depthOf(name: string, links: Link[], below: string[] = []): number {
  const parents = links.filter(({ child, parent }) => child === name && parent !== name && !below.includes(parent))
  return Math.max(0, ...parents.map(({ parent }) => 1 + depthOf(parent, links, [...below, name])))
}
