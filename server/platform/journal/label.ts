import { sql } from '#server/platform/database/database.ts'

/** Replaces the label of the open transaction. Labels contain counts and nouns, never names of people. */
export async function relabel(label: string): Promise<void> {
  await sql('select app.relabel($1)', [label])
}
