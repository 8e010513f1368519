import pg, { type Connection, type FieldDef } from 'pg'
import Result from 'pg/lib/result.js'
import utils from 'pg/lib/utils.js'

export type Row = Record<string, unknown>

/** One statement of a batch. `customPlan` plans it for these values each time it is sent: for searches. */
export type Statement = {
  text: string
  values?: unknown[]
  customPlan?: boolean
  onRows?: (rows: Row[]) => void
}

/** SQL text -> the name of its prepared statement. Texts are constants of our code, so their number is limited. */
const names = new Map<string, string>()

/**
 * SQL text -> its columns. A connection that has prepared a statement is not asked for its description again: PostgreSQL refuses to run
 * a prepared statement whose columns have changed.
 */
const columnsOf = new Map<string, Result>()
const noColumns = new Result(undefined)

/**
 * Statements in one write to the socket with one Sync: one round trip, and one transaction even without BEGIN.
 * Rows are handed out only after the server has confirmed the whole batch.
 */
export class Batch {
  /** Settles when the server is done; rejects with the first failure. */
  readonly completed: Promise<void>
  /** `pg` would add one of its own otherwise. */
  readonly callback = (): void => {}
  readonly #statements: Statement[]
  readonly #resolve: () => void
  readonly #reject: (error: Error) => void
  readonly #answers: Row[][] = []
  #rows: Row[] = []
  #columns: Result | undefined
  #failure: Error | undefined

  constructor(statements: Statement[]) {
    this.#statements = statements
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.completed = promise
    this.completed.catch(() => {}) // not every caller awaits it
    this.#resolve = resolve
    this.#reject = reject
  }

  submit(connection: Connection): void {
    connection.stream.cork()
    try {
      for (const statement of this.#statements) sendStatement(connection, statement)
    } catch (error) {
      // a value that cannot be written: a statement with a syntax error makes the server undo the batch
      this.#failure = toError(error)
      connection.parse({ text: 'stop', name: '' })
    } finally {
      connection.sync()
      connection.stream.uncork()
    }
  }

  handleRowDescription(message: { fields: FieldDef[] }): void {
    this.#columns = new Result(undefined, parsers)
    this.#columns.addFields(message.fields)
  }

  handleDataRow(message: { fields: unknown[] }): void {
    try {
      this.#columns ??= columnsOf.get(this.#statements[this.#answers.length]?.text ?? '') ?? noColumns
      this.#rows.push(this.#columns.parseRow(message.fields))
    } catch (error) {
      this.#failure ??= toError(error)
    }
  }

  handleCommandComplete(message: { text: string }): void {
    const { text = '', customPlan = false } = this.#statements[this.#answers.length] ?? {}
    // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK and no error
    if (text === 'commit' && message.text !== 'COMMIT') this.#failure ??= new Error('The transaction was rolled back')
    if (!customPlan && (this.#columns || !columnsOf.has(text))) columnsOf.set(text, this.#columns ?? noColumns)
    this.#answers.push(this.#rows)
    this.#rows = []
    this.#columns = undefined
  }

  handleError(error: Error): void {
    this.#reject(this.#failure ?? error)
  }

  /** Deferred constraints are checked at Sync, so nothing is committed before this message. */
  handleReadyForQuery(connection: Connection): void {
    for (const { text, customPlan } of this.#statements) if (!customPlan) connection.parsedStatements[nameOf(text)] = text
    if (this.#failure) return this.handleError(this.#failure)
    for (const [index, { onRows }] of this.#statements.entries()) onRows?.(this.#answers[index] ?? [])
    this.#resolve()
  }
}

function sendStatement(connection: Connection, { text, values = [], customPlan }: Statement): void {
  const name = customPlan ? '' : nameOf(text)
  const isPrepared = name !== '' && connection.parsedStatements[name] !== undefined
  if (!isPrepared) {
    // a failed batch may have left it there; closing an unknown name is no error
    if (name !== '') connection.close({ type: 'S', name })
    connection.parse({ text, name })
  }
  connection.bind({ statement: name, values, valueMapper: utils.prepareValue })
  if (!isPrepared || !columnsOf.has(text)) connection.describe({ type: 'P', name: '' })
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

/**
 * How column values arrive: instants as ISO strings in UTC, dates as `YYYY-MM-DD`, bigints and amounts of money as numbers (ours stay
 * far below 2^53, cents included), everything else as `pg` does it.
 */
const parsers = new pg.TypeOverrides()
parsers.setTypeParser(pg.types.builtins.TIMESTAMPTZ, toIso)
parsers.setTypeParser(pg.types.builtins.DATE, String)
parsers.setTypeParser(pg.types.builtins.INT8, Number)
parsers.setTypeParser(pg.types.builtins.NUMERIC, Number)

/** '2026-11-21 13:00:10.123456+00' -> '2026-11-21T13:00:10.123456Z'; the time zone of every connection is UTC. */
function toIso(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, text.lastIndexOf('+'))}Z`
}
