// npm run password-link EMAIL: a link to choose a new password with, for a server that sends no mail.
import { startPasswordReset } from '#server/accounts/accounts.ts'
import { databaseChoice, readMachineConfig } from '#server/config.ts'
import { createDatabase } from '#server/platform/database/database.ts'
import { visitDatabase } from '#server/platform/database/open.ts'
import { openPool } from '#server/platform/database/pool.ts'

const [email] = process.argv.slice(2)
if (!email) throw new Error('Say whose: npm run password-link EMAIL')

const config = readMachineConfig()
const opened = await visitDatabase(databaseChoice(config))
const pool = openPool(opened.connections.application, 1, console.error)
let link: string | undefined
await startPasswordReset(createDatabase(pool), email, new Date(), async (token) => {
  link = `${config.address}/auth/reset?token=${token}`
})
console.log(link ? `Good for one hour and one use:\n${link}` : `There is no account with the email ${email}.`)
process.exitCode = link ? 0 : 1
await pool.end()
await opened.stop()
