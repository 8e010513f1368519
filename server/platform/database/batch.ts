import pg, { type Connection, type FieldDef } from 'pg'
import Result from 'pg/lib/result.js'
import utils from 'pg/lib/utils.js'

export type Row = Record<string, unknown>

/**
 * A statement of a batch. With `customPlan` PostgreSQL makes a plan for the values on each execution; searches need such a plan.
 */
export type Statement = {
  text: string
  values?: unknown[]
  customPlan?: boolean
  onRows?: (rows: Row[]) => void
}

/** Maps SQL text to the name of its prepared statement. The map stays small, because the texts are constants of the code. */
const statementNames = new Map<string, string>()

/**
 * Maps SQL text to its result columns. PostgreSQL is asked for the columns of each text only once. They cannot change later, because it
 * refuses to run a prepared statement whose result columns have changed.
 */
const columnsOf = new Map<string, Result>()
const noColumns = new Result(undefined)

/**
 * Sends several statements to PostgreSQL in one write to the socket, followed by one Sync message of its protocol. So the batch needs one
 * round trip and is one transaction, even without BEGIN. `pg` calls `submit` to send it and the `handle...` methods for each message of the
 * server. Calls `onRows` of the statements only after the server has confirmed the whole batch.
 */
export class Batch {
  /** Resolves when the server has finished the batch. Rejects with the first error. */
  readonly completed: Promise<void>
  /** An empty function, because `pg` would otherwise set its own callback. */
  readonly callback = (): void => {}
  /** Whether the batch was sent and the server has not said whether it succeeded. It remains true when the connection is lost. */
  isUnanswered = false
  readonly #statements: Statement[]
  readonly #resolve: () => void
  readonly #reject: (error: Error) => void
  /** The rows of the statements that are complete. Its length is the index of the statement whose result is being read. */
  readonly #results: Row[][] = []
  /** The rows of the statement whose result is being read, and its columns if the server has described them. */
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
    this.isUnanswered = true
    connection.stream.cork()
    try {
      for (const statement of this.#statements) sendStatement(connection, statement)
    } catch (error) {
      // a value could not be serialized: the statement `stop` is a syntax error, which makes the server roll back the batch
      this.#failure = toError(error)
      connection.parse({ text: 'stop', name: '' })
    } finally {
      connection.sync()
      connection.stream.uncork()
    }
  }

  handleRowDescription(message: { fields: FieldDef[] }): void {
    this.#columns = new Result(undefined, columnParsers)
    this.#columns.addFields(message.fields)
  }

  handleDataRow(message: { fields: unknown[] }): void {
    try {
      this.#columns ??= columnsOf.get(this.#statements[this.#results.length]?.text ?? '') ?? noColumns
      this.#rows.push(this.#columns.parseRow(message.fields))
    } catch (error) {
      this.#failure ??= toError(error)
    }
  }

  handleCommandComplete(message: { text: string }): void {
    const { text = '', customPlan = false } = this.#statements[this.#results.length] ?? {}
    // for COMMIT of a failed transaction PostgreSQL returns ROLLBACK and no error
    if (text === 'commit' && message.text !== 'COMMIT') this.#failure ??= new Error('The transaction was rolled back')
    if (!customPlan && (this.#columns || !columnsOf.has(text))) columnsOf.set(text, this.#columns ?? noColumns)
    this.#results.push(this.#rows)
    this.#rows = []
    this.#columns = undefined
  }

  handleError(error: Error): void {
    if (isStatementError(error)) this.isUnanswered = false
    this.#reject(this.#failure ?? error)
  }

  /** Resolves or rejects the batch. PostgreSQL commits at Sync and sends this message afterwards, so nothing is confirmed before it. */
  handleReadyForQuery(connection: Connection): void {
    for (const { text, customPlan } of this.#statements) if (!customPlan) connection.parsedStatements[statementName(text)] = text
    this.isUnanswered = false
    if (this.#failure) return this.handleError(this.#failure)
    for (const [index, { onRows }] of this.#statements.entries()) onRows?.(this.#results[index] ?? [])
    this.#resolve()
  }
}

/** Whether PostgreSQL has refused a statement and rolled it back. After FATAL or a lost socket the connection is not usable any more. */
export const isStatementError = (error: unknown): boolean => error instanceof Error && 'severity' in error && error.severity === 'ERROR'

/**
 * Sends a statement in the messages of PostgreSQL's protocol: Parse if it is not prepared, Bind, Describe if the columns are unknown,
 * Execute.
 */
function sendStatement(connection: Connection, { text, values = [], customPlan }: Statement): void {
  const name = customPlan ? '' : statementName(text)
  const isPrepared = name !== '' && connection.parsedStatements[name] !== undefined
  if (!isPrepared) {
    // a failed batch may have prepared a statement with this name; closing an unknown name is not an error
    if (name !== '') connection.close({ type: 'S', name })
    connection.parse({ text, name })
  }
  connection.bind({ statement: name, values, valueMapper: utils.prepareValue })
  if (!isPrepared || !columnsOf.has(text)) connection.describe({ type: 'P', name: '' })
  connection.execute({ portal: '' })
}

/** Returns the name of the prepared statement for a text, and chooses one for a new text. */
function statementName(text: string): string {
  const existingName = statementNames.get(text)
  if (existingName) return existingName
  const name = `s${statementNames.size}`
  statementNames.set(text, name)
  return name
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

/**
 * Converts column values: timestamps to ISO strings in UTC, dates to `YYYY-MM-DD`, bigint and numeric to numbers, all other types as `pg`
 * does. A JavaScript number is exact for these values, because all are far below 2^53, even amounts in cents.
 */
const columnParsers = new pg.TypeOverrides()
columnParsers.setTypeParser(pg.types.builtins.TIMESTAMPTZ, toIso)
columnParsers.setTypeParser(pg.types.builtins.DATE, String)
columnParsers.setTypeParser(pg.types.builtins.INT8, Number)
columnParsers.setTypeParser(pg.types.builtins.NUMERIC, Number)

/** Converts '2026-11-21 13:00:10.123456+00' to '2026-11-21T13:00:10.123456Z'. The time zone of every connection is UTC. */
function toIso(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, text.lastIndexOf('+'))}Z`
}
