import { sql } from '#server/platform/database/database.ts'

/** Replaces the label of the open transaction, once the work knows what it did. Counts and nouns, never names of people. */
export async function relabel(label: string): Promise<void> {
  await sql('select app.relabel($1)', [label])
}
