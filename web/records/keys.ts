/** Where the queries of a table keep what they got of single records. */
export const recordKeys = (table: string) => ({ one: (id: string) => [table, 'one', id] as const })
