// Companies: what other rooms may know of them.
import { sql } from '#server/platform/database/database.ts'

/** The name of the company that the row `c` is linked to; empty without a link. */
export const companyName = `coalesce((select f.name from companies f where f.user_id = c.user_id and f.id = c.company_id), '')`

/** What a company is called; undefined where there is none. */
export async function readCompanyName(owner: string, id: string): Promise<string | undefined> {
  const [company] = await sql<{ name: string }>('select name from companies where user_id = $1 and id = $2', [owner, id])
  return company?.name
}
