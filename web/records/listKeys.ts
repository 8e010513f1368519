/** Where the pages and counts of all lists of a table are kept. */
export const listKeys = (table: string) => ({ pages: [table, 'pages'], counts: [table, 'count'] }) as const
