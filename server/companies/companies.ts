// Companies: what other rooms may know of them.

/** The name of the company that the row `c` is linked to; empty without a link. */
export const companyName = `coalesce((select f.name from companies f where f.user_id = c.user_id and f.id = c.company_id), '')`
