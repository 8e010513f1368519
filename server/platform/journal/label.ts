import { sql } from '#server/platform/database/database.ts'

/** Gives the change set of the open transaction a better label, once the work knows what it did. Counts and nouns, never names. */
export async function relabel(label: string): Promise<void> {
  await sql('select app.relabel($1)', [label])
}
