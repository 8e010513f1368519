import pg from 'pg'
import { createDatabase, type Database } from '#server/platform/database/database.ts'
import { openPool } from '#server/platform/database/pool.ts'
import type { TestApp } from './app.ts'

/** A node of a query plan in PostgreSQL's JSON format. */
export type Step = {
  'Node Type': string
  'Index Name'?: string
  'Relation Name'?: string
  Alias?: string
  Filter?: string
  'Index Cond'?: string
  'Actual Rows'?: number
  'Rows Removed by Filter'?: number
  Plans?: Step[]
}

export type Plans = {
  /** The application's database, through one connection whose statements report their plans. */
  database: Database
  /** Returns the plan nodes of all statements since `forget`. */
  steps: () => Step[]
  /** Returns the indexes that these plan nodes used. */
  indexes: () => string[]
  forget: () => void
  stop: () => Promise<void>
}

/** Records the plans of statements. Open it after the rows were added. */
export async function openPlans({ connections }: TestApp): Promise<Plans> {
  await explainStatements(connections)
  let notices: string[] = []
  const pool = openPool(connections.application, 1, console.error)
  pool.on('connect', (client) => client.on('notice', ({ message = '' }) => notices.push(message)))
  const steps = (): Step[] =>
    notices.flatMap((message) => {
      const { Plan: plan }: { Plan: Step } = JSON.parse(message.slice(message.indexOf('{')))
      return stepsOf(plan)
    })
  return {
    database: createDatabase(pool),
    steps,
    indexes: () => steps().flatMap((step) => step['Index Name'] ?? []),
    forget: () => {
      notices = []
    },
    stop: () => pool.end(),
  }
}

/** Whether a node reads rows of a table, with an index or without. */
export const isScan = (step: Step): boolean => /Index.* Scan|Seq Scan/.test(step['Node Type'])

/** Makes PostgreSQL send the plan of every statement of the application's role as a notice, on new connections. */
async function explainStatements({ owner }: TestApp['connections']): Promise<void> {
  const administrator = new pg.Client({ host: owner.host, user: 'postgres', database: owner.database })
  await administrator.connect()
  for (const setting of [
    `session_preload_libraries = 'auto_explain'`,
    'auto_explain.log_min_duration = 0',
    'auto_explain.log_analyze = on',
    'auto_explain.log_format = json',
    'auto_explain.log_level = notice',
  ])
    await administrator.query(`alter role foyer_app in database ${administrator.escapeIdentifier(owner.database ?? '')} set ${setting}`)
  await administrator.query('checkpoint') // so that pages are marked as all-visible and index-only scans are possible
  await administrator.end()
}

const stepsOf = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(stepsOf)]
