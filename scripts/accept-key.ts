// npm run accept-key: for an installation that has lost its key. The installation then starts with another key: the key in its key file, or
// a new key if there is no such file. Links that were signed with the lost key no longer work, and keys, secrets and addresses of other
// services that were encrypted with it have to be entered again. The cookies by which the sign-in recognises the browsers of a user are
// signed too, so the limits for unknown browsers apply to every browser until its next sign-in.
import pg from 'pg'
import { pickDatabaseSettings, readConfigFromEnvironment } from '#server/config.ts'
import { acceptKey } from '#server/platform/database/installation-key.ts'
import { openWithoutMigrations } from '#server/platform/database/open.ts'
import { runCommand } from '#server/platform/operator-error.ts'

await runCommand(async () => {
  const settings = pickDatabaseSettings(readConfigFromEnvironment())
  await using resources = new AsyncDisposableStack()
  // `tableOwner` are the connection settings of the database role that owns the tables
  const { tableOwner } = resources.adopt(await openWithoutMigrations(settings), ({ stop }) => stop())
  const client = resources.adopt(new pg.Client(tableOwner), (adopted) => adopted.end())
  await client.connect()
  await acceptKey(client, settings.keyFile)
  console.log(`The key in ${settings.keyFile.path} is now the key of this installation. Start Foyer with npm start.`)
})
