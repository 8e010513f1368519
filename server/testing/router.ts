import type { FastifyInstance } from 'fastify'
import type { Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { Router } from '#server/platform/http/mount.ts'
import { createRouter } from '#server/platform/http/router.ts'
import { createServer } from '#server/platform/http/server.ts'
import { openSharedSlots } from '#server/platform/database/shared-slots.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

/** A router without routes. Tests mount their own routes. */
export type TestRouter = {
  router: Router
  server: FastifyInstance
  database: Database
  workspace: Workspace
  /** The lines of the log with level `warn` or higher. */
  log: string[]
  /** Adds a user with an empty workspace. Requests with the authorization header `Bearer <owner>` are requests of this user. */
  newUser: () => Promise<Caller>
  stop: () => Promise<void>
}

export async function openTestRouter(): Promise<TestRouter> {
  const workspace = await openWorkspace()
  const { database, application: pool } = workspace
  const log: string[] = []
  const server = await createServer({
    address: 'http://foyer.test',
    trustedProxies: 1,
    logger: { level: 'warn', stream: { write: (line: string) => void log.push(line) } },
    isDevelopment: true,
  })
  const slots = openSharedSlots(workspace.connections.tableOwner)
  const router = createRouter(server, {
    database,
    pool,
    slots,
    now: () => new Date(),
    installationKey: 'the key of an installation in tests',
  })
  const users = new Map<string, Caller>()
  router.finders.user.push(async ({ headers: { authorization = '' } }) => {
    const user = users.get(authorization)
    return user && { ...user, session: 'session' }
  })
  return {
    router,
    server,
    database,
    workspace,
    log,
    newUser: async () => {
      const user = await workspace.newOwner()
      users.set(`Bearer ${user.owner}`, user)
      return user
    },
    stop: async () => {
      await server.close()
      await slots.stop()
      await workspace.stop()
    },
  }
}
