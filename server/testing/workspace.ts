import type pg from 'pg'
import { cloneDatabase } from './app.ts'
import { createDatabase, type Database } from '#server/platform/database/database.ts'
import { openPool } from '#server/platform/database/pool.ts'
import { callerFor, type Caller, type WriteRequest } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'

/** A database alone, without the house around it, for tests of what the platform does with rows. */
export type Workspace = {
  database: Database
  /** As the product connects, and as the role that owns the tables. */
  application: pg.Pool
  owner: pg.Pool
  /** Somebody new with an empty workspace, who acts as themselves. */
  newOwner: () => Promise<Caller>
  connections: { application: pg.ClientConfig; owner: pg.ClientConfig }
  /** Does the work as one change set and answers its id. */
  change: (caller: Caller, label: string, work: () => Promise<unknown>) => Promise<string>
  stop: () => Promise<void>
}

export async function openWorkspace(): Promise<Workspace> {
  const connections = await cloneDatabase()
  const application = openPool(connections.application, 20, () => {})
  const owner = openPool(connections.owner, 4, () => {})
  const database = createDatabase(application)
  return {
    database,
    connections,
    application,
    owner,
    newOwner: async () => {
      const id = newId()
      await owner.query(`insert into users (id, email, password_hash) values ($1, $2, '')`, [id, `${id}@example.org`])
      await owner.query('insert into profiles (user_id, id) values ($1, $1)', [id])
      return callerFor(id)
    },
    change: async (caller, label, work) => {
      const request: WriteRequest = { ...caller.request }
      await database.transaction({ ...caller, request }, label, work)
      if (!request.change) throw new Error('Nothing was written')
      return request.change
    },
    stop: async () => {
      await Promise.all([application.end(), owner.end()])
    },
  }
}
