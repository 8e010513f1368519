import { sql } from '#server/platform/database/database.ts'
import { readToday } from '#server/platform/time/owner-timezone.ts'

/** What an answer or a picture used. `isLimited`: the tokens count towards the operator's limit of a day. `cost` is in US dollars. */
export type Use = { isLimited: boolean; answers: number; images: number; inputTokens: number; outputTokens: number; cost: number | null }

/** Adds to the use of a day. */
export async function addUse(owner: string, day: string, use: Use): Promise<void> {
  await sql(
    `insert into ai_usage (user_id, day, is_limited, answers, images, input_tokens, output_tokens, cost)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (user_id, day, is_limited) do update set answers = ai_usage.answers + excluded.answers, images = ai_usage.images + excluded.images,
       input_tokens = ai_usage.input_tokens + excluded.input_tokens, output_tokens = ai_usage.output_tokens + excluded.output_tokens,
       cost = case when excluded.cost is null then ai_usage.cost else coalesce(ai_usage.cost, 0) + excluded.cost end`,
    [owner, day, use.isLimited, use.answers, use.images, use.inputTokens, use.outputTokens, use.cost],
  )
}

/** Makes other transactions that reserve tokens of the owner wait for the end of this one, so that they count its reservation. */
export async function lockReservations(owner: string): Promise<void> {
  await sql(`select pg_advisory_xact_lock(hashtextextended('AI tokens ' || $1, 0))`, [owner])
}

/** Reads the limited tokens that the owner has used today, and those that are reserved for answers that are being written. */
export async function readLimitedTokens(owner: string, now: Date): Promise<{ used: number; reserved: number }> {
  const today = await readToday(owner, now)
  const [row] = await sql<{ used: number; reserved: number }>(
    `select coalesce((select input_tokens + output_tokens from ai_usage where user_id = $1 and day = $3 and is_limited), 0)::float8 as used,
       (select coalesce(sum(tokens), 0) from ai_reservations where user_id = $1 and expires_at > $2)::float8 as reserved`,
    [owner, now.toISOString(), today],
  )
  return row ?? { used: 0, reserved: 0 }
}

/** Reserves tokens for an answer, and deletes expired reservations. Returns the id of the reservation. */
export async function insertReservation(owner: string, now: Date, expiresAt: Date, tokens: number): Promise<string> {
  const [[row]] = await Promise.all([
    sql<{ id: string }>('insert into ai_reservations (user_id, expires_at, tokens) values ($1, $2, $3) returning id', [
      owner,
      expiresAt.toISOString(),
      tokens,
    ]),
    sql('delete from ai_reservations where user_id = $1 and expires_at <= $2', [owner, now.toISOString()]),
  ])
  if (!row) throw new Error('The reservation was not inserted')
  return row.id
}

export async function deleteReservation(owner: string, id: string): Promise<void> {
  await sql('delete from ai_reservations where user_id = $1 and id = $2', [owner, id])
}

/** The sums of the current month in the time zone of the owner. `month` is its first day. */
export type MonthOfUse = {
  month: string
  answers: number
  images: number
  input_tokens: number
  output_tokens: number
  cost: number | null
  tokens_today: number
  tokens_today_under_limit: number
}

export async function readMonth(owner: string, now: Date): Promise<MonthOfUse | undefined> {
  const [row] = await sql<MonthOfUse>(
    `select date_trunc('month', today)::date as month, coalesce(sum(answers), 0)::int as answers, coalesce(sum(images), 0)::int as images,
       coalesce(sum(input_tokens), 0)::float8 as input_tokens, coalesce(sum(output_tokens), 0)::float8 as output_tokens, sum(cost) as cost,
       coalesce(sum(input_tokens + output_tokens) filter (where day = today), 0)::float8 as tokens_today,
       coalesce(sum(input_tokens + output_tokens) filter (where day = today and is_limited), 0)::float8 as tokens_today_under_limit
     from (select $2::date as today) as clock left join ai_usage on user_id = $1 and day >= date_trunc('month', today)::date group by today`,
    [owner, await readToday(owner, now)],
  )
  return row
}
