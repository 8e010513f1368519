import type pg from 'pg'

/** Deletes expired sessions and reset links of all owners. `pool` connects as the table owner. */
export async function deleteExpired(pool: pg.Pool, now: Date): Promise<void> {
  await pool.query('delete from sessions where expires_at < $1', [now])
  await pool.query('delete from password_resets where expires_at < $1', [now])
}
