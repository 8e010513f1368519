import { createHmac } from 'node:crypto'
import type pg from 'pg'
import { errorCode } from '../error-code.ts'
import { OperatorError } from '../operator-error.ts'
import { storeFingerprintOfRole } from './installation-key.ts'

/** `ownsTables`: the role is a member of the role that owns the tables. `canBeAltered`: our connection may set the password of the role. */
type Role = { isSuperuser: boolean; bypassesRowSecurity: boolean; ownsTables: boolean; canLogIn: boolean; canBeAltered: boolean }

const insufficientPrivilege = '42501' // SQLSTATE

/** Returns the password of the application's role on an external server. */
export const derivePassword = (installationKey: string): string =>
  createHmac('sha256', installationKey).update('foyer_app').digest('base64url')

/**
 * Creates `foyer_app`, the role of the application's connections, or checks that row security applies to the existing role. If
 * `installationKey` is given and `tableOwner` may alter the role, sets the role's password. Throws an `OperatorError` if the role is
 * missing and cannot be created.
 */
export async function prepareApplicationRole(tableOwner: pg.Client, installationKey?: string): Promise<void> {
  const role = (await findRole(tableOwner)) ?? (await createRole(tableOwner))
  if (role.isSuperuser || role.bypassesRowSecurity || role.ownsTables || !role.canLogIn) {
    throw new OperatorError(
      `The role foyer_app ${role.canLogIn ? 'is not subject to row security' : 'may not log in'}: run ALTER ROLE foyer_app LOGIN NOSUPERUSER NOBYPASSRLS, and take it out of the role that owns the tables.`,
    )
  }
  if (installationKey !== undefined && role.canBeAltered) {
    await tableOwner.query(`alter role foyer_app password ${tableOwner.escapeLiteral(derivePassword(installationKey))}`)
    await storeFingerprintOfRole(tableOwner, installationKey)
  }
  await grantMissing(tableOwner, 'connect', 'temporary') // an undo creates a temporary table
}

async function findRole(tableOwner: pg.Client): Promise<Role | undefined> {
  const { rows } = await tableOwner.query<Role>(`
    select rolsuper as "isSuperuser", rolbypassrls as "bypassesRowSecurity", rolcanlogin as "canLogIn",
      pg_has_role('foyer_app', current_user, 'member') as "ownsTables",
      pg_has_role('foyer_app', 'member with admin option') as "canBeAltered"
    from pg_roles where rolname = 'foyer_app'`)
  return rows[0]
}

async function createRole(tableOwner: pg.Client): Promise<Role> {
  try {
    // another process may create the role at the same time for another database of this server
    await tableOwner.query(`do $$ begin create role foyer_app login; exception when duplicate_object or unique_violation then null; end $$`)
  } catch (error) {
    if (errorCode(error) !== insufficientPrivilege) throw error
    throw new OperatorError(
      'The database has no role foyer_app, and our role may not create it: have an administrator run CREATE ROLE foyer_app LOGIN, or give our role CREATEROLE.',
      { cause: error },
    )
  }
  const role = await findRole(tableOwner)
  if (!role) throw new Error('The role foyer_app was created and cannot be found')
  return role
}

/** Grants the privileges that the role lacks. By default every role has them, but an administrator may have revoked them. */
async function grantMissing(tableOwner: pg.Client, ...privileges: string[]): Promise<void> {
  for (const privilege of privileges) {
    const findMissing = `select current_database() as name where not has_database_privilege('foyer_app', current_database(), '${privilege}')`
    const { rows } = await tableOwner.query<{ name: string }>(findMissing)
    if (!rows[0]) continue
    const grant = `grant ${privilege} on database ${tableOwner.escapeIdentifier(rows[0].name)} to foyer_app`
    await tableOwner.query(grant).catch(() => {}) // the next query finds out whether it failed
    if ((await tableOwner.query(findMissing)).rowCount)
      throw new OperatorError(`The role foyer_app lacks a right on the database: have an administrator run ${grant}.`)
  }
}
