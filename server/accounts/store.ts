import type { ProfilePatch } from '#contract/accountSettings.ts'
import type { Profile } from '#contract/accounts.ts'
import { sql } from '#server/platform/database/database.ts'
import { lockHistory } from '#server/platform/journal/lock.ts'

/** Inserts a user. Row security requires that the id of the user is the owner of the transaction. */
export async function insertUser(owner: string, email: string, passwordHash: string): Promise<void> {
  await sql('insert into users (id, email, password_hash) values ($1, $2, $3)', [owner, email, passwordHash])
}

export async function insertProfile(
  owner: string,
  profile: Pick<Profile, 'full_name' | 'timezone' | 'country' | 'currency'>,
): Promise<void> {
  const { full_name, timezone, country, currency } = profile
  await sql('insert into profiles (user_id, id, full_name, timezone, country, currency) values ($1, $1, $2, $3, $4, $5)', [
    owner,
    full_name,
    timezone,
    country,
    currency,
  ])
}

export async function findUser(owner: string): Promise<{ id: string; email: string; password_hash: string } | undefined> {
  const [user] = await sql<{ id: string; email: string; password_hash: string }>(
    'select id, email, password_hash from users where id = $1',
    [owner],
  )
  return user
}

const profileColumns = 'id, full_name, timezone, country, currency, region_confirmed, first_steps_hidden, updated_at, version'

export async function findProfile(owner: string): Promise<Profile | undefined> {
  const [profile] = await sql<Profile>(`select ${profileColumns} from profiles where user_id = $1 and id = $1`, [owner])
  return profile
}

/** Changes the fields of the patch if the row still has `version`; otherwise returns undefined. Without `version` it always writes. */
export async function updateProfile(owner: string, { version, ...patch }: ProfilePatch): Promise<Profile | undefined> {
  const [profile] = await sql<Profile>(
    `update profiles set full_name = coalesce($3, full_name), timezone = coalesce($4, timezone),
       country = coalesce($5, country), currency = coalesce($6, currency),
       region_confirmed = coalesce($7, region_confirmed), first_steps_hidden = coalesce($8, first_steps_hidden)
     where user_id = $1 and id = $1 and ($2::int is null or version = $2) returning ${profileColumns}`,
    [
      owner,
      version ?? null,
      patch.full_name ?? null,
      patch.timezone ?? null,
      patch.country ?? null,
      patch.currency ?? null,
      patch.region_confirmed ?? null,
      patch.first_steps_hidden ?? null,
    ],
  )
  return profile
}

/** Changes the email, and deletes the reset links, because they were sent to the old email. */
export async function updateEmail(owner: string, email: string): Promise<void> {
  await Promise.all([sql('update users set email = $2 where id = $1', [owner, email]), deleteResets(owner)])
}

/**
 * Returns whether the user still has the password with this hash, and locks the user until the end of the transaction, so that the
 * password cannot change in the meantime.
 */
export async function lockPassword(owner: string, passwordHash: string): Promise<boolean> {
  const rows = await sql('select from users where id = $1 and password_hash = $2 for no key update', [owner, passwordHash])
  return rows.length === 1
}

/** Changes the password, and deletes the reset links. */
export async function updatePassword(owner: string, passwordHash: string): Promise<void> {
  await Promise.all([sql('update users set password_hash = $2 where id = $1', [owner, passwordHash]), deleteResets(owner)])
}

/** Erases all rows of the transaction's owner, including the account. */
export async function eraseAccount(): Promise<void> {
  // the statements of a batch run in this order, so the lock is taken before the rows are deleted
  await Promise.all([lockHistory(), sql('select app.delete_account()')])
}

/**
 * Inserts a reset link for the user with this email, and locks the user, so that the email cannot change before the commit. Returns false
 * if the email has changed. Earlier links still work, because anybody who knows the email may ask for another link.
 */
export async function insertReset(owner: string, email: string, hash: Buffer, expiresAt: Date): Promise<boolean> {
  const [, rows] = await Promise.all([
    sql('select from users where id = $1 for no key update', [owner]),
    sql(
      `insert into password_resets (user_id, token_hash, expires_at)
       select id, $3, $4 from users where id = $1 and email = $2 returning id`,
      [owner, email, hash, expiresAt],
    ),
  ])
  return rows.length === 1
}

/** Deletes the reset link. Returns true only the first time, so that a link works once. */
export async function consumeReset(owner: string, hash: Buffer): Promise<boolean> {
  const rows = await sql('delete from password_resets where user_id = $1 and token_hash = $2 returning id', [owner, hash])
  return rows.length === 1
}

const deleteResets = (owner: string): Promise<unknown> => sql('delete from password_resets where user_id = $1', [owner])
