// npm run accept-key: lets an installation whose key is lost start with the key in its key file, which is created if it does not exist. Links
// that were signed with the lost key no longer work, and all browsers count as unknown.
import pg from 'pg'
import { pickDatabaseSettings, readMachineConfig } from '#server/config.ts'
import { acceptKey } from '#server/platform/database/installation-key.ts'
import { openWithoutMigrations } from '#server/platform/database/open.ts'
import { runCommand } from '#server/platform/operator-error.ts'

await runCommand(async () => {
  const settings = pickDatabaseSettings(readMachineConfig())
  await using opened = new AsyncDisposableStack()
  // `tableOwner` are the connection settings of the database role that owns the tables
  const { tableOwner } = opened.adopt(await openWithoutMigrations(settings), ({ stop }) => stop())
  const client = opened.adopt(new pg.Client(tableOwner), (adopted) => adopted.end())
  await client.connect()
  await acceptKey(client, settings.secret)
  console.log(`The key in ${settings.secret.path} is now the key of this installation. Start Foyer with npm start.`)
})
