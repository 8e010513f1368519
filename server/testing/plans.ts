import pg from 'pg'
import { createDatabase, type Database } from '#server/platform/database/database.ts'
import { openPool } from '#server/platform/database/pool.ts'
import type { TestApp } from './app.ts'

/** A node of a query plan in PostgreSQL's JSON format. */
export type PlanNode = {
  'Node Type': string
  'Index Name'?: string
  'Relation Name'?: string
  Alias?: string
  Filter?: string
  'Index Cond'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: PlanNode[]
}

export type Plans = {
  /** The application's database, through one connection whose statements report their plans. */
  database: Database
  /** Returns the plan nodes of all statements since `clear`. */
  readNodes: () => PlanNode[]
  /** Returns the names of the indexes that these plan nodes used. */
  readIndexNames: () => string[]
  clear: () => void
  stop: () => Promise<void>
}

/**
 * Opens a connection that records the plans of its statements. Vacuum the tables before, so that index-only scans are possible.
 * `withFunctions`: also records the statements in functions of the database.
 */
export async function openPlans({ connections }: TestApp, { withFunctions = false } = {}): Promise<Plans> {
  await explainStatements(connections, withFunctions)
  let notices: string[] = []
  const pool = openPool(connections.application, 1, console.error)
  pool.on('connect', (client) => {
    client.on('notice', ({ message = '' }) => {
      if (message.startsWith('duration:')) notices.push(message)
    })
  })
  const readNodes = (): PlanNode[] =>
    notices.flatMap((message) => {
      const { Plan: plan }: { Plan: PlanNode } = JSON.parse(message.slice(message.indexOf('{')))
      return flattenPlan(plan)
    })
  return {
    database: createDatabase(pool),
    readNodes,
    readIndexNames: () => readNodes().flatMap((node) => node['Index Name'] ?? []),
    clear: () => {
      notices = []
    },
    stop: () => pool.end(),
  }
}

/** Returns whether a node reads rows of a table, with an index or without. */
export const isScan = (node: PlanNode): boolean => /Index.* Scan|Seq Scan/.test(node['Node Type'])

/** Makes PostgreSQL send the plan of every statement of the application's role as a notice, on new connections. */
async function explainStatements({ tableOwner }: TestApp['connections'], withFunctions: boolean): Promise<void> {
  const administrator = new pg.Client({ host: tableOwner.host, user: 'postgres', database: tableOwner.database })
  await administrator.connect()
  for (const setting of [
    `session_preload_libraries = 'auto_explain'`,
    'auto_explain.log_min_duration = 0',
    'auto_explain.log_analyze = on',
    'auto_explain.log_format = json',
    'auto_explain.log_level = notice',
    `auto_explain.log_nested_statements = ${withFunctions ? 'on' : 'off'}`,
  ])
    await administrator.query(
      `alter role foyer_app in database ${administrator.escapeIdentifier(tableOwner.database ?? '')} set ${setting}`,
    )
  // flushes the commits, which are asynchronous in tests: a later vacuum of a test marks a page as visible to all transactions only if its
  // commits are flushed
  await administrator.query('checkpoint')
  await administrator.end()
}

/** Returns a node and all nodes below it. */
const flattenPlan = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flattenPlan)]
