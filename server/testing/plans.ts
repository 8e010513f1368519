import pg from 'pg'
import { createDatabase, type Database } from '#server/platform/database/database.ts'
import { openPool } from '#server/platform/database/pool.ts'
import type { TestApp } from './app.ts'

/** A step of a plan, as PostgreSQL tells it. */
export type Step = {
  'Node Type': string
  'Index Name'?: string
  'Relation Name'?: string
  Alias?: string
  Filter?: string
  'Rows Removed by Filter'?: number
  Plans?: Step[]
}

export type Plans = {
  /** The house's rows, reached by one connection that tells how every statement was run. */
  database: Database
  /** The steps of all that was run since `forget`. */
  steps: () => Step[]
  /** The indexes that those went through. */
  indexes: () => string[]
  forget: () => void
  stop: () => Promise<void>
}

/** Tells of every statement how PostgreSQL ran it. To be opened when the rows are there. */
export async function openPlans({ connections }: TestApp): Promise<Plans> {
  await explainStatements(connections)
  let told: string[] = []
  const pool = openPool(connections.application, 1, console.error)
  pool.on('connect', (client) => client.on('notice', ({ message = '' }) => told.push(message)))
  const steps = (): Step[] =>
    told.flatMap((message) => {
      const { Plan: plan }: { Plan: Step } = JSON.parse(message.slice(message.indexOf('{')))
      return stepsOf(plan)
    })
  return {
    database: createDatabase(pool),
    steps,
    indexes: () => steps().flatMap((step) => step['Index Name'] ?? []),
    forget: () => {
      told = []
    },
    stop: () => pool.end(),
  }
}

/** Does a step read rows of a table, with an index or without? */
export const isScan = (step: Step): boolean => /Index.* Scan|Seq Scan/.test(step['Node Type'])

/** From the next connection on, every statement of the product's role tells in a notice how it was run. */
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
  await administrator.query('checkpoint') // what has not reached the disk cannot be known to be visible to all
  await administrator.end()
}

const stepsOf = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(stepsOf)]
