import type pg from 'pg'

/** Deletes sessions and reset links whose time is over, of all owners. `pool` is of the role that owns the tables. */
export async function deleteExpired(pool: pg.Pool, now: Date): Promise<void> {
  await pool.query('delete from sessions where expires_at < $1', [now])
  await pool.query('delete from password_resets where expires_at < $1', [now])
}
