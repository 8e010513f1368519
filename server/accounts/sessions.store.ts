import { sql } from '#server/platform/database/database.ts'

export type SessionRow = { id: string; created_at: string; last_seen_at: string; user_agent: string }

export async function insertSession(
  owner: string,
  session: { hash: Buffer; now: Date; expiresAt: Date; userAgent: string },
): Promise<string> {
  const [row] = await sql<{ id: string }>(
    `insert into sessions (user_id, token_hash, created_at, last_seen_at, expires_at, user_agent)
     values ($1, $2, $3, $3, $4, $5) returning id`,
    [owner, session.hash, session.now, session.expiresAt, session.userAgent],
  )
  if (!row) throw new Error('The session was not inserted')
  return row.id
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
