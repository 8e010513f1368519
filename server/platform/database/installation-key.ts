// The installation's key is in a file that must stay secret. Its fingerprint (a hash) is stored in the database, so that a start with
// another key is refused. It is also stored as the comment of the role foyer_app, because all databases of a server share this role and its
// password.
import type pg from 'pg'
import { OperatorError } from '../operator-error.ts'
import { fingerprintOf, type KeyFile } from '../security/key-file.ts'
import { tableExists } from './schema.ts'

/** What the operator can do when the key of an installation is lost. */
const remedy = (path: string): string =>
  `put the installation's key into ${path}, or set FOYER_SECRET_FILE to it; if the key is lost, run \`npm run accept-key\`. Nothing was changed.`

/**
 * Returns the key of the installation. Creates it if the file does not exist and the database has no fingerprint. Throws an
 * `OperatorError`, and changes nothing, if the database has a fingerprint and the file is missing or has another key.
 */
export async function requireKey(tableOwner: pg.Client, file: KeyFile): Promise<string> {
  const fingerprint = await readFingerprint(tableOwner)
  if (fingerprint === undefined) return file.findOrCreate()
  const key = file.find()
  if (key === undefined) throw new OperatorError(`The database belongs to a key, and ${file.path} does not exist: ${remedy(file.path)}`)
  if (fingerprintOf(key) === fingerprint) return key
  throw new OperatorError(`The key in ${file.path} is not the key of this database: ${remedy(file.path)}`)
}

/** Returns the fingerprint of the installation's key; undefined before the first start that stored one. */
export async function readFingerprint(tableOwner: pg.Client): Promise<string | undefined> {
  if (!(await tableExists(tableOwner, 'app.installation'))) return undefined
  const { rows } = await tableOwner.query<{ fingerprint: string }>('select key_fingerprint as fingerprint from app.installation')
  return rows[0]?.fingerprint
}

/** Stores the fingerprint of the key if the database has none. */
export async function storeFingerprint(tableOwner: pg.Client, key: string): Promise<void> {
  if ((await readFingerprint(tableOwner)) !== undefined) return
  await tableOwner.query('insert into app.installation (key_fingerprint) values ($1)', [fingerprintOf(key)])
}

/**
 * Throws an `OperatorError` if the password of the role foyer_app is derived from another key, because another installation on this
 * server uses it. The comment of the role is `key <fingerprint>`.
 */
export async function requireKeyOfRole(tableOwner: pg.Client, file: KeyFile, key: string): Promise<void> {
  const { rows } = await tableOwner.query<{ comment: string | null }>(
    `select shobj_description(oid, 'pg_authid') as comment from pg_roles where rolname = 'foyer_app'`,
  )
  const fingerprint = /^key (\S+)$/.exec(rows[0]?.comment ?? '')?.[1]
  if (fingerprint === undefined || fingerprint === fingerprintOf(key)) return
  throw new OperatorError(`The key in ${file.path} is not the key of the other Foyer on this database server: ${remedy(file.path)}`)
}

/**
 * Makes the key in the file the key of the database, and creates the file if it does not exist. The next start sets the password of the
 * role foyer_app and its comment. Throws an `OperatorError` while a server is running.
 */
export async function acceptKey(tableOwner: pg.Client, file: KeyFile): Promise<void> {
  const runningServers = await tableOwner.query(`select from pg_stat_activity where application_name = 'foyer jobs' limit 1`)
  if (runningServers.rowCount) throw new OperatorError('A Foyer server is using this database server: stop it first.')
  if ((await readFingerprint(tableOwner)) === undefined) throw new OperatorError('This database belongs to no key yet: start Foyer.')
  await tableOwner.query('update app.installation set key_fingerprint = $1', [fingerprintOf(file.findOrCreate())])
  await tableOwner.query('comment on role foyer_app is null').catch(() => {}) // fails if our role may not alter it; then it has no comment
}

/** Stores the fingerprint of the key from which the password of the role foyer_app is derived. */
export async function storeFingerprintOfRole(tableOwner: pg.Client, key: string): Promise<void> {
  await tableOwner.query(`comment on role foyer_app is ${tableOwner.escapeLiteral(`key ${fingerprintOf(key)}`)}`)
}
