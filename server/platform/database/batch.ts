import type { Connection, FieldDef } from 'pg'
import Result from 'pg/lib/result.js'
import utils from 'pg/lib/utils.js'
import { parsers } from './parsers.ts'

export type Row = Record<string, unknown>

/** One statement of a flight and who takes its rows. `fresh` plans anew for these values (searches). */
export type Statement = {
  text: string
  values?: unknown[]
  fresh?: boolean
  done?: (rows: Row[]) => void
}

/** SQL text -> the name of its prepared statement. Texts are constants of our code, so this is bounded. */
const names = new Map<string, string>()

/**
 * Statements in one write to the socket with one Sync: one round trip, and one transaction even without BEGIN.
 * Rows are handed out only when the server has said that all of it holds.
 */
export class Batch {
  /** Settles when the server is done; rejects with the first failure. */
  readonly completed: Promise<void>
  /** Keeps `pg` from adding its own. */
  readonly callback = (): void => {}
  readonly #steps: Statement[]
  readonly #land: () => void
  readonly #crash: (error: Error) => void
  #rows: Row[][] = []
  #result = new Result(undefined, parsers)
  #broken: Error | undefined

  constructor(statements: Statement[]) {
    this.#steps = statements
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.completed = promise
    this.completed.catch(() => {}) // whoever waits hears of it; nobody need wait
    this.#land = resolve
    this.#crash = reject
  }

  submit(connection: Connection): void {
    connection.stream.cork()
    try {
      for (const statement of this.#steps) sendStep(connection, statement)
    } catch (error) {
      // a value that cannot be written: make the server undo what it has got of this flight
      this.#broken = toError(error)
      connection.parse({ text: 'stop', name: '' })
    } finally {
      connection.sync()
      connection.stream.uncork()
    }
  }

  handleRowDescription(message: { fields: FieldDef[] }): void {
    this.#result.addFields(message.fields)
  }

  handleDataRow(message: { fields: unknown[] }): void {
    try {
      this.#result.addRow(this.#result.parseRow(message.fields))
    } catch (error) {
      this.#broken ??= toError(error)
    }
  }

  handleCommandComplete(message: { text: string }): void {
    const statement = this.#steps[this.#rows.length]
    // COMMIT of a failed transaction answers ROLLBACK, politely
    if (statement?.text === 'commit' && message.text !== 'COMMIT') this.#broken ??= new Error('The transaction was rolled back')
    this.#rows.push(this.#result.rows)
    this.#result = new Result(undefined, parsers)
  }

  handleError(error: Error): void {
    this.#crash(this.#broken ?? error)
  }

  /** Only now is it committed: a deferred constraint speaks at Sync. */
  handleReadyForQuery(connection: Connection): void {
    for (const { text, fresh } of this.#steps) if (!fresh) connection.parsedStatements[nameOf(text)] = text
    if (this.#broken) return this.handleError(this.#broken)
    for (const [index, { done }] of this.#steps.entries()) done?.(this.#rows[index] ?? [])
    this.#land()
  }
}

function sendStep(connection: Connection, { text, values = [], fresh }: Statement): void {
  const name = fresh ? '' : nameOf(text)
  if (name === '' || !connection.parsedStatements[name]) {
    // a failed flight may have left it there; closing an unknown name is no error
    if (name !== '') connection.close({ type: 'S', name })
    connection.parse({ text, name })
  }
  connection.bind({ statement: name, values, valueMapper: utils.prepareValue })
  connection.describe({ type: 'P', name: '' })
  connection.execute({ portal: '' })
}

function nameOf(text: string): string {
  const known = names.get(text)
  if (known) return known
  const name = `s${names.size}`
  names.set(text, name)
  return name
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
