// npm run demo [-- --contacts N]: a workspace with believable people in it, and how to sign in there.
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { signUp } from '#server/accounts/accounts.ts'
import { databaseChoice, readMachineConfig } from '#server/config.ts'
import { createDatabase } from '#server/platform/database/database.ts'
import { visitDatabase } from '#server/platform/database/open.ts'
import { openPool } from '#server/platform/database/pool.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { addPeople } from './demo-people.ts'

const { values } = parseArgs({ options: { contacts: { type: 'string', default: '100' } } })
const count = Number(values.contacts)
if (!Number.isInteger(count) || count < 1 || count > 5_000_000) throw new Error('--contacts must be a whole number from 1 to 5,000,000')

const config = readMachineConfig()
const opened = await visitDatabase(databaseChoice(config))
const pool = openPool(opened.connections.application, 1, console.error)
const database = createDatabase(pool)
const password = randomBytes(9).toString('base64url')
const { id: owner, email } = await signUpUnderFreeName(1)
await addPeople(database, owner, count)
console.log(`${count.toLocaleString('en')} contacts are in. Sign in at ${config.address}/auth as\n  ${email}\n  ${password}`)
await pool.end()
await opened.stop()

async function signUpUnderFreeName(number: number): Promise<{ id: string; email: string }> {
  const name = number === 1 ? 'demo' : `demo${number}`
  try {
    return await signUp(database, {
      email: `${name}@foyer.example`,
      password,
      full_name: 'Nora Ellisande',
      timezone: 'Europe/London',
    })
  } catch (error) {
    if (error instanceof Refusal && error.code === 'email_taken') return signUpUnderFreeName(number + 1)
    throw error
  }
}
