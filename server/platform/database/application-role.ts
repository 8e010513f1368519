import type pg from 'pg'
import { OperatorError } from '../operator-error.ts'

type Role = { superuser: boolean; bypasses: boolean; owns: boolean; login: boolean; administered: boolean }

/**
 * Makes the role that the product works as, `foyer_app`, or checks that the one that is there stands under row security. Sets its
 * password where one is given and we may. Throws a `OperatorError` when there is no such role and we may not make it.
 */
export async function prepareApplicationRole(owner: pg.Client, password?: string): Promise<void> {
  const role = (await findRole(owner)) ?? (await createRole(owner))
  if (role.superuser || role.bypasses || role.owns || !role.login) {
    throw new OperatorError(
      `The role foyer_app ${role.login ? 'stands above row security' : 'may not log in'}: run ALTER ROLE foyer_app LOGIN NOSUPERUSER NOBYPASSRLS, and take it out of the role that owns the tables.`,
    )
  }
  if (password !== undefined && role.administered) {
    await owner.query(`alter role foyer_app password ${owner.escapeLiteral(password)}`)
  }
  await allow(owner, 'connect', 'temporary')
}

async function findRole(owner: pg.Client): Promise<Role | undefined> {
  const { rows } = await owner.query<Role>(`
    select rolsuper as superuser, rolbypassrls as bypasses, rolcanlogin as login,
      pg_has_role('foyer_app', current_user, 'member') as owns,
      pg_has_role('foyer_app', 'member with admin option') as administered
    from pg_roles where rolname = 'foyer_app'`)
  return rows[0]
}

async function createRole(owner: pg.Client): Promise<Role> {
  try {
    // made for another database of this server at the same moment, it is as good
    await owner.query(`do $$ begin create role foyer_app login; exception when duplicate_object or unique_violation then null; end $$`)
  } catch (error) {
    throw new OperatorError(
      'The database has no role foyer_app, and ours may not make it: have an administrator run CREATE ROLE foyer_app LOGIN, or give our role CREATEROLE.',
      { cause: error },
    )
  }
  const role = await findRole(owner)
  if (!role) throw new Error('The role foyer_app was made and is not there')
  return role
}

/** Databases let everybody in unless an administrator closed them. Undo keeps its notes in a temporary table. */
async function allow(owner: pg.Client, ...privileges: string[]): Promise<void> {
  for (const privilege of privileges) {
    const lacks = `select current_database() as name where not has_database_privilege('foyer_app', current_database(), '${privilege}')`
    const { rows } = await owner.query<{ name: string }>(lacks)
    if (!rows[0]) continue
    const grant = `grant ${privilege} on database ${owner.escapeIdentifier(rows[0].name)} to foyer_app`
    await owner.query(grant).catch(() => {}) // whether it helped is asked below
    if ((await owner.query(lacks)).rowCount)
      throw new OperatorError(`The role foyer_app lacks a right on the database: have an administrator run ${grant}.`)
  }
}
