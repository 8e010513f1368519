// npm run password-link EMAIL: prints a link with which a user sets a new password. It is meant for servers that send no mail.
import { startPasswordReset } from '#server/accounts/accounts.ts'
import { anonymous } from '#server/platform/http/visitor.ts'
import { pickDatabaseSettings, readConfigFromEnvironment } from '#server/config.ts'
import { createDatabase } from '#server/platform/database/database.ts'
import { openDatabaseForCommand } from '#server/platform/database/open.ts'
import { openPool } from '#server/platform/database/pool.ts'
import { OperatorError, runCommand } from '#server/platform/operator-error.ts'

await runCommand(async () => {
  const [email] = process.argv.slice(2)
  if (!email) throw new OperatorError('The email of the account is missing: npm run password-link EMAIL')
  const config = readConfigFromEnvironment()
  await using resources = new AsyncDisposableStack()
  const { connections } = resources.adopt(await openDatabaseForCommand(pickDatabaseSettings(config)), ({ stop }) => stop())
  const pool = resources.adopt(openPool(connections.application, 1, console.error), (adopted) => adopted.end())
  let token: string | undefined // stays undefined if no account has this email
  await startPasswordReset(createDatabase(pool), anonymous, email, new Date(), async (newToken) => {
    token = newToken
  })
  if (!token) throw new OperatorError(`There is no account with the email ${email}.`)
  console.log(`This link works once, within one hour:\n${config.address}/auth/reset?token=${token}`)
})
