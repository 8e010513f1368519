// Starts the server: reads the settings, opens the database, creates the application and listens on the port. Stops in reverse order.
import { pickDatabaseSettings, readConfigFromEnvironment, type Config } from './config.ts'
import { createApp } from './app.ts'
import { publicPages, screens } from './features.ts'
import { explainFullDisk } from './platform/database/embedded/disk-space.ts'
import { openDatabase } from './platform/database/open.ts'
import { listen } from './platform/http/listen.ts'
import { loadBuiltPages } from './platform/http/pages.production.ts'
import { createMail } from './platform/mail/mail.ts'
import { releaseMemoryWhenIdle } from './platform/memory.ts'
import { runCommand } from './platform/operator-error.ts'
import { stopOnSignal } from './platform/process.ts'
import { openKeyFile } from './platform/security/key-file.ts'
import { openStorage } from './platform/storage/open.ts'

await runCommand(async () => {
  const config = readConfigFromEnvironment()
  await start(config).catch((error: unknown) => {
    throw config.database ? error : explainFullDisk(config.data.folder, error)
  })
})

async function start(config: Config): Promise<void> {
  // a signal before everything is open only ends the process, and that stops the embedded database
  let close = async (): Promise<void> => {}
  stopOnSignal(() => close())
  await using resources = new AsyncDisposableStack() // when a step fails, closes what the earlier steps opened
  const database = resources.adopt(await openDatabase(pickDatabaseSettings(config)), ({ stop }) => stop())
  const pages = config.isDevelopment
    ? (await import('./platform/http/pages.development.ts')).createDevelopmentPages(publicPages)
    : await loadBuiltPages(screens, publicPages)
  const app = resources.adopt(
    await createApp({
      connections: database.connections,
      address: config.address,
      isSignUpOpen: config.signUp === 'open',
      trustedProxies: config.trustedProxies,
      mail: createMail({ smtpUrl: config.mail.server?.reveal(), from: config.mail.from }),
      pages,
      logger: { level: config.logLevel },
      isDevelopment: config.isDevelopment,
      now: () => new Date(),
      storage: await openStorage(config.storage, config),
      installationKey: openKeyFile(config.keyFile).findOrCreate(),
      fileLimits: config.fileLimits,
      recordQuotaBytes: config.recordQuotaBytes,
      ai: config.ai,
      allowedHosts: config.allowedHosts,
      disk: { folders: database.folders, minFreeBytes: config.minFreeBytes },
    }),
    ({ stop }) => stop(),
  )
  await pages.attach?.(app.server)
  await listen(app.server, config.listen)
  const runningResources = resources.move() // so that `resources` does not close everything at the end of this function
  close = () => runningResources.disposeAsync()
  void database.crashed.then((reason) => {
    app.server.log.fatal(reason)
    process.exit(1)
  })
  releaseMemoryWhenIdle()
  database.setLockAddress(config.address) // the message of a second start on the same data folder then names this address
  console.log(`Foyer is open at ${config.address}`)
}
