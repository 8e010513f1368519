import { maxListedViews, maxViews, type View } from '#contract/views.ts'
import { sql } from '#server/platform/database/database.ts'

/** The columns of a `View`. `address` is the query string of the list's URL, which contains the search, filters, sort and columns. */
const columns = 'id, list, name, address, created_at, updated_at, version'

export const listViews = (owner: string): Promise<View[]> =>
  sql<View>(`select ${columns} from views where user_id = $1 order by name collate "und-x-icu", id limit ${maxListedViews}`, [owner])

export async function findView(owner: string, id: string): Promise<View | undefined> {
  const [view] = await sql<View>(`select ${columns} from views where user_id = $1 and id = $2`, [owner, id])
  return view
}

/** Saves a view, and replaces a view with the same list and name. Returns undefined if the owner has the maximum number of views. */
export async function insertView(
  owner: string,
  { list, name, address }: Pick<View, 'list' | 'name' | 'address'>,
): Promise<View | undefined> {
  const [, [view]] = await Promise.all([
    // the lock makes simultaneous inserts of one owner wait, because otherwise all of them could count the views before the first insert
    sql(`select pg_advisory_xact_lock(hashtextextended('views ' || app.owner()::text, 0))`),
    sql<View>(
      `insert into views (user_id, list, name, address) select $1, $2, $3, $4
       where (select count(*) from views where user_id = $1 and (list, name) <> ($2, $3)) < ${maxViews}
       on conflict on constraint views_name do update set address = excluded.address returning ${columns}`,
      [owner, list, name, address],
    ),
  ])
  return view
}

/**
 * Changes the name, the query string (`address`) or both. Returns undefined for an unknown id. Throws the database error of the constraint
 * `views_name` if another view of the list has the name.
 */
export async function updateView(
  owner: string,
  id: string,
  { name, address }: Partial<Pick<View, 'name' | 'address'>>,
): Promise<View | undefined> {
  const [view] = await sql<View>(
    `update views set name = coalesce($3, name), address = coalesce($4, address) where user_id = $1 and id = $2 returning ${columns}`,
    [owner, id, name ?? null, address ?? null],
  )
  return view
}

export async function deleteView(owner: string, id: string): Promise<boolean> {
  return (await sql('delete from views where user_id = $1 and id = $2 returning id', [owner, id])).length > 0
}
