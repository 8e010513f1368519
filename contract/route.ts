import type * as z from 'zod/mini'
import type { Scope } from './actors.ts'
import type { ErrorCode } from './errors.ts'

/** The callers that a route accepts, and the changes that a call makes. */
type Access =
  /** The request has no identity, so no change is written to the journal. */
  | { caller: 'anyone'; changes: NotJournaled; scope?: never; isForSessionsOnly?: never; requiresIdempotencyKey?: never }
  /**
   * The owner with a session, or with an API key that has one of the scopes of `scopesOf`. `scope` adds scopes to those that follow from
   * `changes`. No scope follows from changes that cannot be undone.
   */
  | { caller: 'user'; changes: Changes; scope?: Scope | readonly Scope[]; isForSessionsOnly?: never; requiresIdempotencyKey?: true }
  /** The owner with a session; no API key may call the route. Routes whose responses contain secrets must have this form. */
  | { caller: 'user'; changes: Changes; scope?: never; isForSessionsOnly: true; requiresIdempotencyKey?: true }
  /** A visitor of a public page, who acts in the workspace of the page. */
  | { caller: 'visitor'; changes: NotJournaled; scope?: never; isForSessionsOnly?: never; requiresIdempotencyKey?: never }
  /** A visitor whose changes are journaled. The route requires an Idempotency-Key, because a browser may send a form twice. */
  | {
      caller: 'visitor'
      changes: 'journaled'
      scope?: never
      isForSessionsOnly?: never
      requiresIdempotencyKey: true
      maxRequestsIn15Minutes: RequestLimits
    }

/**
 * The maximum number of requests in 15 minutes, per network address and per identity. All visitors of a workspace share one identity. With
 * `refusedPerNetwork` only requests that are refused count for their network, because the handler counts the others itself.
 */
type RequestLimits = { perNetwork?: number; perIdentity?: number; refusedPerNetwork?: number }

/**
 * `nothing`: the call only reads. `journaled`: the call changes rows of the owner and can be undone. `noUndo`: the call does more than
 * read, and has no undo; the text is the reason. A job that the call starts may write rows that can be undone.
 */
type Changes = NotJournaled | 'journaled'
type NotJournaled = 'nothing' | { noUndo: string }

type Schema = z.ZodMiniType
type Example = { params?: Record<string, string>; query?: Record<string, string>; body?: unknown }

/** A route of the server. The OpenAPI document and the tests that call every route are generated from it; the tests send `example`. */
export type Route = Access & {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/${string}`
  summary: string
  params?: Schema
  query?: Schema
  body?: Schema
  /** The body has any size and type, and the handler reads its bytes as a stream. */
  upload?: true
  /** The JSON body may contain a file in base64, up to a size that the operator sets. `tooLarge` is the sentence for larger bodies. */
  largeBody?: { tooLarge: string }
  /** The handler also receives the bytes of the body, to verify a signature. Without `body` any content type is accepted. */
  rawBody?: true
  /**
   * The body of a successful response. A route without `out`, `events`, `eventList`, `file` and `download` responds with 204 and no body.
   */
  out?: Schema
  /** A successful response is a stream of server-sent events with this payload, until the client disconnects. */
  events?: Schema
  /** A successful response is a finite stream of numbered server-sent events with this payload; the last event is `end`. */
  eventList?: Schema
  /**
   * The data of the last message of `eventList`, such as `[DONE]`, for clients of a format in which events have no number and the list no
   * message `end`.
   */
  lastData?: string
  /** A successful response is a file of this type, sent while it is generated. */
  file?: 'text/csv' | 'text/vcard' | 'application/zip'
  /** A successful response is a stored file or a range of its bytes. The method must be GET; the server then supports HEAD too. */
  download?: true
  /**
   * A job may continue a large change after the response. A response without a body then has status 202. Its header `Foyer-Change` has the
   * id of the change, whose progress `GET /api/changes/{id}` returns. A response with a body has status 202 if the handler has set it.
   */
  mayContinue?: true
  /** The request waits at most this time for its turn in queues, and for each lock of a row, and is then refused with `busy`. */
  maxWaitSeconds?: number
  /** The status of a successful response with `out`. The default is 200. */
  status?: 200 | 201
  /**
   * The response to a request that repeats the Idempotency-Key of an earlier request, and therefore changes nothing. It has this `body`, or
   * it is made by the handler of the route `fromRoute`. By default it has status 204.
   *
   * `idFrom` says where the parameter `id` of that handler comes from. `query`: from the query of the repeated request. `record`: it is the
   * id of the record that the earlier request wrote. `change`: it is the id of the earlier change set. Without `idFrom` the handler
   * receives the parameters of the repeated request.
   */
  responseIfRepeated?: { fromRoute: string; idFrom?: 'query' | 'record' | 'change' } | { body: unknown }
  /** The error codes that are special to this route, for the OpenAPI document. */
  errors?: readonly ErrorCode[]
  maxRequestsIn15Minutes?: RequestLimits
  example: Example
}

export type Routes = Record<string, Route>

/** Checks the routes and keeps their literal types. */
export const defineRoutes = <const R extends Routes>(routes: R): R => routes

/**
 * Returns the scopes that allow an API key to call the route; one of them is enough. Returns none for routes that only a session may call:
 * those with `isForSessionsOnly`, and those without an undo and without a scope of their own.
 */
export function scopesOf({ caller, changes, scope, isForSessionsOnly }: Route): readonly Scope[] {
  if (caller !== 'user' || isForSessionsOnly) return []
  const scopesOfChanges: readonly Scope[] = changes === 'nothing' ? ['read'] : changes === 'journaled' ? ['write'] : []
  return [...new Set([...scopesOfChanges, ...[scope ?? []].flat()])]
}

type SchemaInput<S> = S extends Schema ? z.input<S> : never
type SchemaOutput<S> = S extends Schema ? z.output<S> : never

/** The parts of a request, as a client sends them. */
export type RequestInput<R extends Route> = (R extends { params: Schema } ? { params: SchemaInput<R['params']> } : unknown) &
  (R extends { query: Schema } ? { query?: SchemaInput<R['query']> } : unknown) &
  (R extends { body: Schema } ? { body: SchemaInput<R['body']> } : unknown)

/** The input of a handler: validated, with defaults filled in. */
export type HandlerInput<R extends Route> = {
  params: SchemaOutput<R['params']>
  query: SchemaOutput<R['query']>
  body: SchemaOutput<R['body']>
}

/**
 * The result of a handler. It is validated, and fields that are not in the schema are removed. For `events` it is a function that
 * subscribes and resolves to the function that unsubscribes. A subscription, an event list and a file must take shared slots and other
 * resources only when they start to send, because a result is discarded when the client has disconnected, or when an earlier request had
 * the same Idempotency-Key.
 */
export type HandlerResult<R extends Route> = R extends { out: Schema }
  ? z.input<R['out']>
  : R extends { events: Schema }
    ? (send: (event: z.input<R['events']>) => void) => Promise<() => void>
    : R extends { eventList: Schema }
      ? AsyncIterable<z.input<R['eventList']>>
      : R extends { file: string }
        ? NamedFile
        : R extends { download: true }
          ? StoredFile
          : void

/**
 * A file that is generated while it is sent. `size` is its exact number of bytes. If it is set, the client shows the progress, and treats a
 * file with fewer bytes as a failed download.
 */
export type NamedFile = { name: string; size?: number; chunks: AsyncIterable<string | Uint8Array> }

/**
 * A stored file. `size` is in bytes. `etag` changes with the content, such as the SHA-256 of it. `read` returns the bytes from `start` to
 * `end`, both included. With `inline` the browser shows the file; scripts in the file never run.
 */
export type StoredFile = {
  name: string
  type: string
  size: number
  etag: string
  disposition?: 'attachment' | 'inline'
  read: (range: { start: number; end: number }) => AsyncIterable<Uint8Array>
}

/** The response body that a client receives. */
export type ResponseBody<R extends Route> = R extends { out: Schema } ? z.output<R['out']> : void
