import type pg from 'pg'

/**
 * Runs the work in a transaction of the role that owns the tables, for schedules that write rows of several owners. Row security does not
 * apply. Commits when the work returns, and rolls back when it throws.
 */
export async function inTransaction(tableOwner: pg.Pool, work: (client: pg.ClientBase) => Promise<void>): Promise<void> {
  const client = await tableOwner.connect()
  try {
    await client.query('begin')
    await work(client)
    await client.query('commit')
    client.release()
  } catch (error) {
    client.release(true) // closing the connection ends the transaction
    throw error
  }
}
