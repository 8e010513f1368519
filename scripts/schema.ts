// npm run schema: writes the schema after all migrations to database/schema.sql, so that a review shows each change of the schema in one
// file.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '#server/platform/database/embedded/start.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { describeSchema } from '#server/platform/database/schema.ts'

const file = join(import.meta.dirname, '../database/schema.sql')
const home = mkdtempSync(join(tmpdir(), 'foyer-schema-'))
// `isConfigured`: whether the operator has chosen the folder
const { socketFolder, stop } = await startEmbedded({ folder: join(home, 'data'), isConfigured: false })
try {
  const connection = { host: socketFolder, user: 'foyer', database: 'foyer' }
  await migrate(connection)
  const client = new pg.Client(connection)
  await client.connect()
  writeFileSync(file, await describeSchema(client))
  await client.end()
} finally {
  await stop()
  rmSync(home, { recursive: true, force: true })
}
console.log(`Wrote ${file}`)
