// npm run demo [-- --contacts N]: creates an account with demo records and prints the email and password of the account.
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { signUp } from '#server/accounts/accounts.ts'
import { anonymous } from '#server/platform/http/visitor.ts'
import { pickDatabaseSettings, readConfigFromEnvironment } from '#server/config.ts'
import { createDatabase, type Database } from '#server/platform/database/database.ts'
import { openDatabaseForCommand } from '#server/platform/database/open.ts'
import { openPool } from '#server/platform/database/pool.ts'
import { openStorage } from '#server/platform/storage/open.ts'
import { OperatorError, runCommand } from '#server/platform/operator-error.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { addCompanies } from './demo-companies.ts'
import { addContacts } from './demo-contacts.ts'
import { addFiles } from './demo-files.ts'
import { addDeals, addNotes, addTasks } from './demo-work.ts'

await runCommand(async () => {
  const { values } = parseArgs({ options: { contacts: { type: 'string', default: '100' } } })
  const contactCount = Number(values.contacts)
  if (!Number.isInteger(contactCount) || contactCount < 1 || contactCount > 5_000_000) {
    throw new OperatorError('--contacts must be a whole number from 1 to 5,000,000')
  }
  const config = readConfigFromEnvironment()
  await using resources = new AsyncDisposableStack()
  const { connections } = resources.adopt(await openDatabaseForCommand(pickDatabaseSettings(config)), ({ stop }) => stop())
  const pool = resources.adopt(openPool(connections.application, 1, console.error), (adopted) => adopted.end())
  const database = createDatabase(pool)
  const password = randomBytes(9).toString('base64url')
  const { id, email } = await signUpWithFreeEmail(database, password)
  await addCompanies(database, id, percentOf(contactCount, 20))
  await addContacts(database, id, contactCount)
  await addDeals(database, id, percentOf(contactCount, 25))
  await addTasks(database, id, percentOf(contactCount, 30))
  await addNotes(database, id, percentOf(contactCount, 40))
  await addFiles(database, await openStorage(config.storage), id)
  console.log(
    `${contactCount.toLocaleString('en')} contacts added, with companies, deals, tasks, notes and files. Sign in at ${config.address}/auth as\n  ${email}\n  ${password}`,
  )
})

function percentOf(contacts: number, percent: number): number {
  return Math.ceil((contacts * percent) / 100)
}

/** Creates the account demo@foyer.example. If that email is taken, tries demo2@foyer.example, and so on. */
async function signUpWithFreeEmail(database: Database, password: string, number = 1): Promise<{ id: string; email: string }> {
  const email = `${number === 1 ? 'demo' : `demo${number}`}@foyer.example`
  try {
    return await signUp(
      database,
      { ...anonymous, queueName: 'demo' },
      { email, password, full_name: 'Nora Ellisande', timezone: 'Europe/London' },
    )
  } catch (error) {
    if (error instanceof Refusal && error.code === 'email_taken') return signUpWithFreeEmail(database, password, number + 1)
    throw error
  }
}
