// npm run restore -- FILE: restores a backup into an installation without users.
import { resolve } from 'node:path'
import { databaseChoice, readMachineConfig } from '#server/config.ts'
import { restoreBackup } from '#server/platform/backup/restore.ts'
import { openWithoutMigrations } from '#server/platform/database/open.ts'
import { OperatorError, runCommand } from '#server/platform/operator-error.ts'

await runCommand(async () => {
  const [given] = process.argv.slice(2)
  if (!given) throw new OperatorError('No file given: npm run restore -- FILE')
  const config = readMachineConfig()
  const rows = await restoreBackup(resolve(given), {
    open: () => openWithoutMigrations(databaseChoice(config)),
    installation: { folder: config.data.folder, secretFile: config.secretFile },
  })
  console.log(`${rows.toLocaleString('en')} rows are restored. Start Foyer with npm start.`)
})
