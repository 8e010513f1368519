// Starts the process: settings, database, house, port. Stops in reverse.
import { databaseChoice, readMachineConfig, type Config } from './config.ts'
import { createApp } from './app.ts'
import { screens } from './features.ts'
import { openDatabase } from './platform/database/open.ts'
import { openPages } from './platform/http/pages.ts'
import { createMail } from './platform/mail/mail.ts'
import { releaseMemoryWhenIdle } from './platform/memory.ts'
import { runTask } from './platform/operator-error.ts'
import { stopOnSignal } from './platform/process.ts'

await runTask(async () => start(readMachineConfig()))

async function start(config: Config): Promise<void> {
  let close = async (): Promise<void> => {} // until all is open it is enough to end: the database goes with the process
  stopOnSignal(() => close())
  await using opened = new AsyncDisposableStack() // closes what is open if a later step fails
  const database = opened.adopt(await openDatabase(databaseChoice(config)), ({ stop }) => stop())
  const pages = await openPages(config.development, screens)
  const app = opened.adopt(
    await createApp({
      connections: database.connections,
      address: config.address,
      signUpOpen: config.signUp === 'open',
      trustedProxies: config.trustedProxies,
      mail: createMail({ smtpUrl: config.mail.server?.reveal(), from: config.mail.from }),
      pages,
      logger: { level: config.logLevel },
      development: config.development,
      now: () => new Date(),
    }),
    ({ stop }) => stop(),
  )
  await pages.attach?.(app.server)
  await app.server.listen(config.listen)
  const open = opened.move()
  close = () => open.disposeAsync()
  void database.crashed.then((reason) => {
    app.server.log.fatal(reason)
    process.exit(1)
  })
  releaseMemoryWhenIdle()
  database.announce(config.address)
  console.log(`Foyer is open at ${config.address}`)
}
