import pg from 'pg'

/** Values are written as text that must mean the same on every server. No timeouts: a large table takes long. */
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
  client.on('error', () => {}) // the running statement rejects with it
  await client.connect()
  for (const [name, value] of Object.entries(settings)) await client.query('select set_config($1, $2, false)', [name, value])
  return client
}
