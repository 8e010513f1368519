/** Under which keys the answers about records of a table are kept: all of a key have one shape. */
export const recordKeys = (table: string) => ({
  one: (id: string) => [table, 'one', id] as const,
  nameOf: (id: string) => [table, 'one', id, 'name'] as const,
  /** A few to choose one from. */
  choices: (search: string) => [table, 'choices', search] as const,
  /** The pages of all lists. */
  pages: [table, 'pages'] as const,
  /** The counts of all lists. */
  counts: [table, 'count'] as const,
  /** Those that are linked to a record, and how many they are; `by` says by what they are linked: "contact_id". */
  linkedTo: (by: string, id: string) => [table, 'linked', by, id] as const,
  numberLinkedTo: (by: string, id: string) => [table, 'number linked', by, id] as const,
  tags: [table, 'tags'] as const,
})
