// npm run restore -- FILE: restores a backup into an installation without users.
import { resolve } from 'node:path'
import { pickDatabaseSettings, readConfigFromEnvironment } from '#server/config.ts'
import { restoreBackup } from '#server/platform/backup/restore.ts'
import { openWithoutMigrations } from '#server/platform/database/open.ts'
import { OperatorError, runCommand } from '#server/platform/operator-error.ts'

await runCommand(async () => {
  const [filePath] = process.argv.slice(2)
  if (!filePath) throw new OperatorError('Name the backup file: npm run restore -- FILE')
  const config = readConfigFromEnvironment()
  const { rows, missingFiles } = await restoreBackup(resolve(filePath), {
    open: () => openWithoutMigrations(pickDatabaseSettings(config)),
    installation: { folder: config.data.folder, keyFile: config.keyFile },
  })
  console.log(`${rows.toLocaleString('en')} rows are restored. Start Foyer with npm start.`)
  for (const name of missingFiles) console.log(`${name} was deleted while the backup was written, so it cannot be restored.`)
})
