// npm run doctor: checks the installation and prints one line per result. `--hashes` also reads all bytes of files. `--repair` repairs what
// can be repaired without risk. Exits with code 1 if there are errors.
import { parseArgs } from 'node:util'
import { readConfigFromEnvironment, type Config } from '#server/config.ts'
import { examine, type Result } from '#server/doctor.ts'
import { OperatorError, runCommand } from '#server/platform/operator-error.ts'

await runCommand(async () => {
  const { hashes, repair } = readOptions()
  const config = readSettings()
  if (!config) return
  const counts = { ok: 0, warning: 0, error: 0 }
  for await (const result of examine(config, { comparesHashes: hashes, repairs: repair, now: new Date() })) {
    counts[result.status]++
    print(result)
  }
  console.log(`${counts.ok} ok, ${counts.warning} to look at, ${counts.error} wrong.`)
  if (counts.error > 0) process.exitCode = 1
})

function readOptions(): { hashes: boolean; repair: boolean } {
  try {
    const { values } = parseArgs({ options: { hashes: { type: 'boolean' }, repair: { type: 'boolean' } } })
    return { hashes: values.hashes ?? false, repair: values.repair ?? false }
  } catch (error) {
    throw new OperatorError('The options are --hashes and --repair: npm run doctor -- --hashes', { cause: error })
  }
}

/** Returns the settings. If some are wrong, prints each as an error and returns undefined. */
function readSettings(): Config | undefined {
  try {
    return readConfigFromEnvironment()
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    for (const text of error.message.split('\n')) print({ name: 'Settings', status: 'error', text })
    process.exitCode = 1
    return undefined
  }
}

function print({ name, status, text }: Result): void {
  console.log(`${status.padEnd(8)} ${`${name}:`.padEnd(18)} ${text}`)
}
