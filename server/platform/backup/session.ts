import pg from 'pg'

/** Values are written as text, which must mean the same on the server that reads them; and a large table takes its time. */
const settings = {
  client_encoding: 'UTF8',
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  search_path: 'public',
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
}

/** A connection of the role that owns the tables, to be ended by the caller. */
export async function openSession(owner: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(owner)
  client.on('error', () => {}) // the statement that is running tells
  await client.connect()
  for (const [name, value] of Object.entries(settings)) await client.query('select set_config($1, $2, false)', [name, value])
  return client
}
