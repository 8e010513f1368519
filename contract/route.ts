import type * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'

/** Who may call a route: anybody, or a signed-in user who then acts on their own workspace. */
type Caller = 'anyone' | 'user'

/**
 * What a call leaves behind. `journaled`: rows of the owner, which undo brings back.
 * `noInverse`: something that undo cannot bring back, and why.
 */
type Changes = 'nothing' | 'journaled' | { noInverse: string }

type Schema = z.ZodMiniType
type Example = { params?: Record<string, string>; query?: Record<string, string>; body?: unknown }

/** One address of the server. The matrices and the OpenAPI document read this; the example is run by tests. */
export type Route = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: `/${string}`
  summary: string
  caller: Caller
  changes: Changes
  params?: Schema
  query?: Schema
  body?: Schema
  /** What a success answers with; absent: 204 and no body. `events`: a stream of server-sent events with this payload. */
  out?: Schema
  events?: Schema
  /** A success answers with a file of this type, sent as it is made. */
  file?: 'text/csv' | 'text/vcard'
  status?: 200 | 201
  /** When an Idempotency-Key comes again: the sibling that answers, and which id it is asked for. Absent: 204 again. */
  repeats?: { route: string; id: 'params' | 'record' | 'change' }
  errors?: readonly ErrorCode[]
  /** Tries that one network address has in a quarter of an hour. */
  triesPerQuarterHour?: number
  example: Example
}

export type Routes = Record<string, Route>

/** Keeps the literal types of a list of routes. */
export const defineRoutes = <const Defined extends Routes>(routes: Defined): Defined => routes

type In<S> = S extends Schema ? z.input<S> : never
type Read<S> = S extends Schema ? z.output<S> : never

/** What a caller gives. */
export type Input<R extends Route> = (R extends { params: Schema } ? { params: In<R['params']> } : unknown) &
  (R extends { query: Schema } ? { query?: In<R['query']> } : unknown) &
  (R extends { body: Schema } ? { body: In<R['body']> } : unknown)

/** What a handler is given: checked, with defaults filled in. */
export type Parsed<R extends Route> = { params: Read<R['params']>; query: Read<R['query']>; body: Read<R['body']> }

/** What a handler returns; the door checks it and drops what the schema does not name. Events: how to subscribe to them. */
export type Answer<R extends Route> = R extends { out: Schema }
  ? z.input<R['out']>
  : R extends { events: Schema }
    ? (send: (event: z.input<R['events']>) => void) => () => void
    : R extends { file: string }
      ? NamedFile
      : void

/** A file as it is made, and what it is called when it is saved. */
export type NamedFile = { name: string; parts: AsyncIterable<string> }

/** What a caller gets. */
export type Output<R extends Route> = R extends { out: Schema } ? z.output<R['out']> : void
