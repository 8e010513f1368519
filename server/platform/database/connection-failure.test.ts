import { expect, test } from 'vitest'
import { explainMigrationFailure } from './connection-failure.ts'
import { MigrationError } from './migrate.ts'

const connection = { url: 'postgres://customer:secret@db.example.org/foyer', setting: 'DATABASE_URL' } as const
const createError = (code: string, message: string): Error => Object.assign(new Error(message), { code })
const explain = (error: unknown): string | undefined => explainMigrationFailure(error, connection)?.message
/** Explains an error that a statement of the migration 0046_places.sql has caused. `code`: a code of PostgreSQL or of Node. */
const explainInMigration = (code: string, message: string): string | undefined =>
  explain(new MigrationError('0046_places.sql', createError(code, message)))

test('after a successful connection, error codes of Node are not explained, because they may be about a missing file', () => {
  expect(explain(createError('ENOENT', 'ENOENT: no such file or directory, scandir'))).toBeUndefined()
  expect(explainInMigration('ECONNREFUSED', 'connect ECONNREFUSED')).toBeUndefined()
})

test('the error of a migration without enough rights names the migration, and says which role or owner to change', () => {
  expect(explainInMigration('42501', 'must be owner of table files')).toBe(
    'The migration 0046_places.sql failed: must be owner of table files: the role customer does not own what the migration changes, so set DATABASE_URL to the role that ran the earlier migrations.',
  )
  expect(explainInMigration('42501', 'permission denied for schema public')).toBe(
    'The migration 0046_places.sql failed: permission denied for schema public: run ALTER DATABASE foyer OWNER TO customer.',
  )
})

test('the advice to install extensions is given only for a migration that lacks an extension', () => {
  expect(explainInMigration('0A000', 'extension "unaccent" is not available')).toBe(
    'The migration 0046_places.sql failed: extension "unaccent" is not available: install the contrib package of PostgreSQL at db.example.org:5432, which has the extensions.',
  )
  expect(explainInMigration('0A000', 'cannot alter type of a column used by a view or rule')).toBeUndefined()
})

test('a failure outside of a migration is explained without the name of a migration', () => {
  expect(explain(createError('25006', 'cannot execute CREATE SCHEMA in a read-only transaction'))).toBe(
    'PostgreSQL at db.example.org:5432 is a copy that cannot be written: set DATABASE_URL to the primary server.',
  )
})
