// Parts of `pg` that batch.ts uses and that are missing in the published types.
import 'pg'

declare module 'pg' {
  interface Connection {
    /** The prepared statements of this connection: their texts by name. */
    parsedStatements: Record<string, string>
    close(message: { type: 'S' | 'P'; name?: string }): void
    parse(message: { text: string; name: string }): void
    bind(message: { statement: string; values: unknown[]; valueMapper: (value: unknown) => unknown }): void
    describe(message: { type: 'S' | 'P'; name: string }): void
    execute(message: { portal: string }): void
    sync(): void
  }
  interface ClientBase {
    /** The id of the server process of this connection, for pg_cancel_backend. */
    readonly processID: number
  }
}
