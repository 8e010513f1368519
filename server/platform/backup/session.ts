import pg from 'pg'

/** With these settings every server formats and parses values in the same way. There are no timeouts, because a large table takes long. */
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

/** Opens a connection of the role that owns the tables. The caller ends it. */
export async function openSession(tableOwner: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(tableOwner)
  client.on('error', () => {}) // the running statement rejects with the same error
  await client.connect()
  for (const [name, value] of Object.entries(settings)) await client.query('select set_config($1, $2, false)', [name, value])
  return client
}
