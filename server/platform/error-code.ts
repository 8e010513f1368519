/** What a failure of PostgreSQL or of Node calls itself: `57014`, `ENOENT`; empty where it has no code. */
export const errorCode = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** The constraint of the database that a write broke; empty where it was none. */
export const constraintName = (error: unknown): string => (error instanceof Error && 'constraint' in error ? String(error.constraint) : '')
