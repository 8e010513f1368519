// Parts of `pg` that batch.ts uses and its published types leave out.
import 'pg'

declare module 'pg' {
  interface Connection {
    /** Prepared statements of this connection: name -> text. */
    parsedStatements: Record<string, string>
    close(message: { type: 'S' | 'P'; name?: string }): void
    parse(message: { text: string; name: string }): void
    bind(message: { statement: string; values: unknown[]; valueMapper: (value: unknown) => unknown }): void
    describe(message: { type: 'S' | 'P'; name: string }): void
    execute(message: { portal: string }): void
    sync(): void
  }
  interface ClientBase {
    /** The server's process for this connection, for pg_cancel_backend. */
    readonly processID: number
  }
}
