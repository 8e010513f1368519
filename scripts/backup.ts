// npm run backup -- FILE: writes the database, the files of the data folder and the secret key (`secret.key`) into one file. The server may
// run meanwhile.
import { resolve } from 'node:path'
import { pickDatabaseSettings, readConfigFromEnvironment } from '#server/config.ts'
import { writeBackup } from '#server/platform/backup/backup.ts'
import { rememberBackup } from '#server/platform/doctor/machine.ts'
import { openDatabaseForCommand } from '#server/platform/database/open.ts'
import { OperatorError, runCommand } from '#server/platform/operator-error.ts'

await runCommand(async () => {
  const [filePath] = process.argv.slice(2)
  if (!filePath) throw new OperatorError('Name the file to write: npm run backup -- FILE')
  const config = readConfigFromEnvironment()
  const file = resolve(filePath)
  await using resources = new AsyncDisposableStack()
  const { connections } = resources.adopt(await openDatabaseForCommand(pickDatabaseSettings(config)), ({ stop }) => stop())
  const installation = { folder: config.data.folder, keyFile: config.keyFile }
  const { rows, bytes, missingFiles } = await writeBackup(connections.tableOwner, installation, file)
  await rememberBackup(config.data.folder, new Date())
  console.log(`${file} holds ${rows.toLocaleString('en')} rows in ${(bytes / 1e6).toFixed(1)} MB. Keep it as safe as the data.`)
  for (const name of missingFiles) console.log(`${name} was deleted while the backup was written, and is not in it.`)
})
