import type pg from 'pg'
import { cloneDatabase } from './app.ts'
import { createDatabase, type Database } from '#server/platform/database/database.ts'
import { openPool } from '#server/platform/database/pool.ts'
import { callerFor, type Caller, type WriteRequest } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'

/** A database without a server. Tests of the platform use it. */
export type Workspace = {
  database: Database
  /** A pool of the application's role, to which row security applies. */
  application: pg.Pool
  /** A pool of the role that owns the tables. */
  tableOwner: pg.Pool
  /** Adds a user with an empty workspace and returns the user as a caller. */
  newOwner: () => Promise<Caller>
  connections: { application: pg.ClientConfig; tableOwner: pg.ClientConfig }
  /** Runs the work in a transaction and returns the id of its change set. */
  change: (caller: Caller, label: string, work: () => Promise<unknown>) => Promise<string>
  stop: () => Promise<void>
}

export async function openWorkspace(): Promise<Workspace> {
  const connections = await cloneDatabase()
  const application = openPool(connections.application, 20, () => {})
  const tableOwner = openPool(connections.tableOwner, 4, () => {})
  const database = createDatabase(application)
  return {
    database,
    connections,
    application,
    tableOwner,
    newOwner: async () => {
      const id = newId()
      await tableOwner.query(`insert into users (id, email, password_hash) values ($1, $2, '')`, [id, `${id}@example.org`])
      await tableOwner.query('insert into profiles (user_id, id) values ($1, $1)', [id])
      return callerFor(id)
    },
    change: async (caller, label, work) => {
      const request: WriteRequest = { ...caller.request }
      await database.transaction({ ...caller, request }, label, work)
      if (!request.changeId) throw new Error('Nothing was written')
      return request.changeId
    },
    stop: async () => {
      await Promise.all([application.end(), tableOwner.end()])
    },
  }
}
