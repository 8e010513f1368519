import type * as z from 'zod/mini'
import type { Scope } from './actors.ts'
import type { ErrorCode } from './errors.ts'

/**
 * Who may call a route, and what a call changes.
 * `anyone`: no identity, so nothing of an owner can be journaled. `user`: the owner with a session, and with a `scope` also an API key that
 * has it. `visitor`: a visitor of a public page, who acts in the workspace that the page belongs to. A journaled route for visitors needs
 * an Idempotency-Key, because a browser may send a form twice, and limits.
 */
type Access =
  | { caller: 'anyone'; changes: NotJournaled; scope?: never; requiresKey?: never }
  | { caller: 'user'; changes: Changes; scope?: Scope; requiresKey?: true }
  | { caller: 'visitor'; changes: NotJournaled; scope?: never; requiresKey?: never }
  | { caller: 'visitor'; changes: 'journaled'; scope?: never; requiresKey: true; maxAttempts: MaxAttempts }

/** Most requests in 15 minutes: of one network address, and of one identity (all visitors of a workspace are one). */
type MaxAttempts = { perNetwork?: number; perIdentity?: number }

/**
 * What a call changes. `journaled`: rows of the owner, which can be undone. `noInverse`: something that cannot be undone, and why.
 */
type Changes = NotJournaled | 'journaled'
type NotJournaled = 'nothing' | { noInverse: string }

type Schema = z.ZodMiniType
type Example = { params?: Record<string, string>; query?: Record<string, string>; body?: unknown }

/** One route of the server. The tests of every route and the OpenAPI document are made from it; tests run the example. */
export type Route = Access & {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: `/${string}`
  summary: string
  params?: Schema
  query?: Schema
  body?: Schema
  /** The body is bytes of any size and type, which the handler reads as a stream. */
  upload?: true
  /** The handler is also given the bytes of the body, for a signature over them. Without `body` any content type is accepted. */
  rawBody?: true
  /** A success answers with this; without it and without the fields below with 204 and no body. */
  out?: Schema
  /** A success answers with server-sent events of this payload until the client disconnects. */
  events?: Schema
  /** A success answers with numbered server-sent events of this payload, in order, to an end that the client can see. */
  eventList?: Schema
  /** A success answers with a file of this type, sent while it is generated. */
  file?: 'text/csv' | 'text/vcard'
  /** A success answers with a stored file or a range of it. Only for GET, and then HEAD is answered too. */
  download?: true
  status?: 200 | 201
  /** For a repeated Idempotency-Key: the route of the same list that answers, and the id that it is called with. Absent: 204 again. */
  repeats?: { route: string; id: 'params' | 'record' | 'change' }
  errors?: readonly ErrorCode[]
  maxAttempts?: MaxAttempts
  example: Example
}

export type Routes = Record<string, Route>

/** Keeps the literal types of a list of routes. */
export const defineRoutes = <const Defined extends Routes>(routes: Defined): Defined => routes

type In<S> = S extends Schema ? z.input<S> : never
type Read<S> = S extends Schema ? z.output<S> : never

/** What a client sends. */
export type Input<R extends Route> = (R extends { params: Schema } ? { params: In<R['params']> } : unknown) &
  (R extends { query: Schema } ? { query?: In<R['query']> } : unknown) &
  (R extends { body: Schema } ? { body: In<R['body']> } : unknown)

/** The input of a handler: checked, with defaults filled in. */
export type Parsed<R extends Route> = { params: Read<R['params']>; query: Read<R['query']>; body: Read<R['body']> }

/** The result of a handler; it is checked, and fields that the schema does not name are dropped. Of events: the function that subscribes. */
export type Answer<R extends Route> = R extends { out: Schema }
  ? z.input<R['out']>
  : R extends { events: Schema }
    ? (send: (event: z.input<R['events']>) => void) => () => void
    : R extends { eventList: Schema }
      ? AsyncIterable<z.input<R['eventList']>>
      : R extends { file: string }
        ? NamedFile
        : R extends { download: true }
          ? StoredFile
          : void

/** A file that is generated while it is sent, and its name. */
export type NamedFile = { name: string; chunks: AsyncIterable<string> }

/**
 * A stored file. `size` in bytes; `etag` changes whenever the content does, such as its SHA-256; `read` gives the bytes from `start` to
 * `end`, both included. `inline` lets the browser show the file; its scripts never run.
 */
export type StoredFile = {
  name: string
  type: string
  size: number
  etag: string
  disposition?: 'attachment' | 'inline'
  read: (range: { start: number; end: number }) => AsyncIterable<Uint8Array>
}

/** What a client receives. */
export type Output<R extends Route> = R extends { out: Schema } ? z.output<R['out']> : void
