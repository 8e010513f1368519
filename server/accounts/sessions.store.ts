import { sql } from '#server/platform/database/database.ts'

/** A user whose password was verified, and the hash with which it was verified. */
export type VerifiedUser = { id: string; passwordHash: string }

export type SessionRow = { id: string; created_at: string; last_seen_at: string; user_agent: string }

/**
 * Inserts a session if the user still has the password with the hash `passwordHash`; otherwise returns undefined. `for share` makes the
 * statement wait while a change of the password is not committed yet.
 */
export async function insertSession(
  { id, passwordHash }: VerifiedUser,
  session: { hash: Buffer; now: Date; expiresAt: Date; userAgent: string },
): Promise<string | undefined> {
  const [row] = await sql<{ id: string }>(
    `insert into sessions (user_id, token_hash, created_at, last_seen_at, expires_at, user_agent)
     select id, $3, $4, $4, $5, $6 from users where id = $1 and password_hash = $2 for share returning id`,
    [id, passwordHash, session.hash, session.now, session.expiresAt, session.userAgent],
  )
  return row?.id
}

export const listSessions = (owner: string, now: Date): Promise<SessionRow[]> =>
  sql<SessionRow>(
    `select id, created_at, last_seen_at, user_agent from sessions where user_id = $1 and expires_at > $2
     order by last_seen_at desc, id desc limit 200`,
    [owner, now],
  )

export async function touchSession(owner: string, id: string, now: Date, expiresAt: Date): Promise<void> {
  await sql('update sessions set last_seen_at = $3, expires_at = $4 where user_id = $1 and id = $2', [owner, id, now, expiresAt])
}

/** Ends one session. Returns false when the owner has no such session. */
export async function deleteSession(owner: string, id: string): Promise<boolean> {
  const rows = await sql('delete from sessions where user_id = $1 and id = $2 returning id', [owner, id])
  return rows.length === 1
}

/** Ends all sessions of the owner except the session with the id `keptId`. */
export async function deleteSessions(owner: string, keptId?: string): Promise<void> {
  await sql('delete from sessions where user_id = $1 and ($2::uuid is null or id <> $2)', [owner, keptId ?? null])
}
