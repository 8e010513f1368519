// npm run restore -- FILE: brings a backup into an installation that nobody has used yet.
import { resolve } from 'node:path'
import { databaseChoice, readMachineConfig } from '#server/config.ts'
import { restoreBackup } from '#server/platform/backup/restore.ts'
import { openUnmigrated } from '#server/platform/database/open.ts'
import { OperatorError, runTask } from '#server/platform/operator-error.ts'

await runTask(async () => {
  const [given] = process.argv.slice(2)
  if (!given) throw new OperatorError('Say from where: npm run restore -- FILE')
  const config = readMachineConfig()
  const rows = await restoreBackup(resolve(given), {
    open: () => openUnmigrated(databaseChoice(config)),
    installation: { folder: config.data.folder, secretFile: config.secretFile },
  })
  console.log(`${rows.toLocaleString('en')} rows are back. Start Foyer with npm start.`)
})
