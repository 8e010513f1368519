/** Returns the code of an error of PostgreSQL or Node, such as `57014` or `ENOENT`; an empty text if the error has none. */
export const errorCode = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Returns the name of the constraint that a write violated; an empty text for other errors. */
export const constraintName = (error: unknown): string => (error instanceof Error && 'constraint' in error ? String(error.constraint) : '')

/** Returns the hint of an error that a trigger raised; an empty text for other errors. */
export const errorHint = (error: unknown): string =>
  error instanceof Error && 'hint' in error && typeof error.hint === 'string' ? error.hint : ''

/**
 * Whether a row could not be stored because its owner does not exist: the foreign key that every owned table has, `<table>_user_id_fkey`,
 * was violated. A test compares the names with the schema.
 */
export const isMissingOwnerError = (error: unknown): boolean =>
  errorCode(error) === '23503' &&
  error instanceof Error &&
  'schema' in error &&
  error.schema === 'public' &&
  'table' in error &&
  constraintName(error) === `${String(error.table)}_user_id_fkey`
