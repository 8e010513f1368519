import type pg from 'pg'

/** Deletes expired sessions and reset links of all users. `tableOwner` is a pool of the role that owns the tables. */
export async function deleteExpired(tableOwner: pg.Pool, now: Date): Promise<void> {
  await tableOwner.query('delete from sessions where expires_at < $1', [now])
  await tableOwner.query('delete from password_resets where expires_at < $1', [now])
}
