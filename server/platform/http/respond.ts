import { errors } from '#contract/errors.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import type { Route, Routes } from '#contract/route.ts'
import { UnconfirmedCommit, type Caller } from '#server/platform/database/transaction.ts'
import type { EarlierWrite } from '#server/platform/journal/history.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { bodyLimitBytes, refuseUnstorable } from './body.ts'
import { checkInput, type OutputCheck } from './check.ts'
import { disconnectSignal, endDisconnected, isDisconnect, waitSignal } from './disconnect.ts'
import { parseLastEventId, sendEventList } from './event-list.ts'
import { sendFile } from './file.ts'
import { findIdentity, type RequestIdentity } from './identity.ts'
import { isPossiblyWritten, readIdempotencyKey, type Idempotency } from './repeat.ts'
import { toRefusal } from './problem.ts'
import type { Router } from './router.ts'
import { sendStoredFile } from './stored-file.ts'
import { sendEvents } from './stream.ts'
import { readRawBody, toUpload } from './upload.ts'

/** The argument of a handler, without the types of its route. */
type AnyContext = { params: unknown; query: unknown; body: unknown; caller: unknown; session: unknown; request: unknown; reply: unknown }
export type AnyHandler = (context: AnyContext) => Promise<unknown>

/** A route with its handler. */
export type MountedRoute = {
  router: Router
  route: Route
  /** The handler of the route. */
  run: AnyHandler
  checkOutput: OutputCheck | undefined
  /** The routes that were mounted together with this one, by name. */
  routes: Routes
  /** Returns the handler of one of `routes`. */
  handlerOf: (name: string) => AnyHandler
}

/** Checks the input, runs the handler and sends its result. Throws a `Refusal` that says whether a change was made. */
export async function respond(mountedRoute: MountedRoute, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { route } = mountedRoute
  const { identity } = request
  const signal = identity || route.upload || route.eventList ? disconnectSignal(reply) : undefined
  const input = {
    params: route.params ? parseParams(route.params, request.params) : {},
    query: route.query ? parseQuery(route.query, request.query) : {},
    ...parseBody(route, request, reply),
    ...(route.eventList && { offset: parseLastEventId(request.headers['last-event-id']) }),
    signal,
  }
  const idempotency = identity && route.changes === 'journaled' ? readIdempotencyKey(request, route, identity) : undefined
  const queueSignal = signal && route.maxWaitSeconds !== undefined ? waitSignal(signal, route.maxWaitSeconds, reply) : signal
  const caller = identity && toCaller(identity, route, idempotency, { signal: queueSignal, bytes: bodyBytesOf(route, request) })
  const context = { ...input, caller, session: identity?.session, request, reply }
  try {
    if (route.file) return await sendFile(route.file, () => mountedRoute.run(context), reply, toReceiver(mountedRoute, caller))
    return await respondOnce(mountedRoute, idempotency, context, request, reply)
  } catch (error) {
    if (route.upload) request.raw.resume() // the next request on this connection begins after the rest of the body
    if (caller && isDisconnect(caller, error)) return endDisconnected(reply)
    if (caller?.request?.changeId !== undefined) throw new Refusal('answer_failed', {}, error)
    throw isOutcomeUnknown(route, error) ? new Refusal('outcome_unknown', {}, error) : error
  }
}

/** Whether a route without undo may have made changes before it failed. The response must then not say that nothing was changed. */
const isOutcomeUnknown = ({ changes }: Route, error: unknown): boolean =>
  typeof changes === 'object' && toRefusal(error).code === 'internal'

/**
 * Runs the handler and sends its result. If an earlier request used the same key, sends the result of that request instead. Looks for such
 * a request once more after the handler, because two requests with the same key may arrive at the same time and only one of them writes.
 * A handler that itself responds to repeated requests runs without the first look, because most requests are not repeated.
 */
async function respondOnce(
  mountedRoute: MountedRoute,
  idempotency: Idempotency | undefined,
  context: AnyContext & { caller: Caller | undefined },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { router } = mountedRoute
  const { caller } = context
  const readChangeId = (): string | undefined => caller?.request?.changeId // set by the transaction of the handler
  const findEarlierWrite = async (): Promise<EarlierWrite | undefined> =>
    caller && idempotency ? router.findEarlierWrite(caller, idempotency.key) : undefined
  const earlierWrite = respondsToRepeats(mountedRoute) ? undefined : await findEarlierWrite()
  if (earlierWrite && idempotency) return respondToRepeat(mountedRoute, earlierWrite, idempotency, context, request, reply)
  try {
    const result = await mountedRoute.run(context).finally(() => setChangeHeader(reply, readChangeId()))
    const concurrentWrite = readChangeId() === undefined ? await findEarlierWrite() : undefined
    if (concurrentWrite && idempotency) return await respondToRepeat(mountedRoute, concurrentWrite, idempotency, context, request, reply)
    return await send(mountedRoute, result, context, request, reply)
  } catch (error) {
    const isWriteUncertain = readChangeId() === undefined && isPossiblyWritten(error)
    const storedWrite = isWriteUncertain ? await findEarlierWrite().catch(() => undefined) : undefined
    if (storedWrite && idempotency) return respondToRepeat(mountedRoute, storedWrite, idempotency, context, request, reply)
    // the key makes a repeat safe even if the write is stored
    throw idempotency && error instanceof UnconfirmedCommit ? new Refusal('not_ready', {}, error) : error
  }
}

/** Whether the handler of the route makes the response to a repeated request, without a change. */
const respondsToRepeats = ({ route, routes }: MountedRoute): boolean =>
  route.responseIfRepeated !== undefined && 'fromRoute' in route.responseIfRepeated && routes[route.responseIfRepeated.fromRoute] === route

/** Whether the session or API key of the request is still valid while its events are sent. */
async function isStillIdentified({ router, route }: MountedRoute, request: FastifyRequest): Promise<boolean> {
  return route.caller === 'anyone' || (await findIdentity(router.finders[route.caller], request)) !== undefined
}

/** Parses the parameters. A malformed id belongs to no record, so it throws `not_found`. */
export function parseParams(schema: z.ZodMiniType, params: unknown): unknown {
  const { success, data } = schema.safeParse(params)
  if (!success) throw new Refusal('not_found')
  return data
}

/** Parses the query. Throws `invalid` with a message for each wrong parameter. */
export function parseQuery(schema: z.ZodMiniType, query: unknown): unknown {
  refuseUnstorable(query, '')
  return checkInput(schema, query)
}

function parseBody({ body, upload, rawBody }: Route, request: FastifyRequest, reply: FastifyReply): { body: unknown; rawBody?: Buffer } {
  if (upload) return { body: toUpload(request, reply) }
  if (!rawBody) return { body: body ? checkInput(body, request.body) : undefined }
  const { bytes, json } = readRawBody(request)
  return { body: body ? checkInput(body, json) : undefined, rawBody: bytes }
}

/**
 * Creates the caller of a request. `signal` removes the request from a queue and cancels a read. `bytes`: the size of the body in memory.
 */
function toCaller(
  { owner, actor, scopes, hasAllRights }: RequestIdentity,
  route: Route,
  idempotency: Idempotency | undefined,
  { signal, bytes }: { signal: AbortSignal | undefined; bytes: number },
): Caller {
  const { changes, maxWaitSeconds } = route
  const caller = {
    owner,
    actor,
    scopes,
    hasAllRights,
    queueBytes: bytes,
    ...(signal && { queueSignal: signal }),
    ...(maxWaitSeconds !== undefined && { lockTimeoutMs: maxWaitSeconds * 1000 }),
  }
  if (changes === 'nothing') return { ...caller, ...(signal && { readSignal: signal }) }
  // `request` links the change set to the response, for its undo
  if (changes !== 'journaled') return caller
  return { ...caller, request: { ...idempotency } }
}

/**
 * Returns the size of the body that is in memory, or the largest possible size if it is unknown. Returns 0 for large bodies and uploads,
 * which have limits of their own.
 */
function bodyBytesOf({ upload, largeBody }: Route, { body, headers }: FastifyRequest): number {
  if (upload || largeBody || body === undefined) return 0
  return headers['content-encoding'] === undefined ? Number(headers['content-length'] ?? bodyLimitBytes) : bodyLimitBytes
}

/** Returns the owner that gets a file, '' for a route that anyone may call, with the slots that limit transfers. */
const toReceiver = ({ router }: MountedRoute, caller: Caller | undefined) => ({ owner: caller?.owner ?? '', slots: router.slots })

function setChangeHeader(reply: FastifyReply, changeId: string | undefined): void {
  if (changeId !== undefined) reply.header('foyer-change', changeId)
}

/**
 * Responds to a repeated request as `responseIfRepeated` of its route says, and writes nothing. Throws `not_found` when the record was
 * deleted in the meantime.
 */
async function respondToRepeat(
  mountedRoute: MountedRoute,
  earlier: EarlierWrite,
  idempotency: Idempotency,
  context: AnyContext & { caller: Caller | undefined },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { routes, route, handlerOf } = mountedRoute
  if (earlier.hash !== idempotency.hash) throw new Refusal('request_reused')
  setChangeHeader(reply, earlier.changeId)
  // because `changeId` is set, `respond` reports an error after this line as `answer_failed`
  if (context.caller?.request) Object.assign(context.caller.request, { changeId: earlier.changeId, isRunning: earlier.isRunning })
  const { responseIfRepeated } = route
  if (!responseIfRepeated) return sendNothing(context.caller, reply)
  if ('body' in responseIfRepeated) return send(mountedRoute, responseIfRepeated.body, context, request, reply)
  const { fromRoute, idFrom } = responseIfRepeated
  if (!routes[fromRoute]) throw new Error(`responseIfRepeated of ${route.path} names an unknown route`)
  const paramsFrom = { query: context.query, record: { id: earlier.record }, change: { id: earlier.changeId } }
  const params = idFrom === undefined ? context.params : paramsFrom[idFrom]
  try {
    const result = await handlerOf(fromRoute)({ ...context, params })
    return await send(mountedRoute, result, context, request, reply)
  } catch (error) {
    // the refusal is about the record as it is now; without the id `respond` reports this refusal and not `answer_failed`
    if (error instanceof Refusal && errors[error.code][0] < 500) delete context.caller?.request?.changeId
    throw error
  }
}

/** Sends the result of a handler in the form that the contract of the route names. */
async function send(
  mountedRoute: MountedRoute,
  result: unknown,
  { caller, offset = 0 }: AnyContext & { caller: Caller | undefined; offset?: number },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { route, checkOutput } = mountedRoute
  if (checkOutput) return sendJson(checkOutput(result), statusOf(route, reply), reply)
  if (route.download) return sendStoredFile(result, request, reply)
  const isAllowed = (): Promise<boolean> => isStillIdentified(mountedRoute, request)
  if (route.events) return sendEvents(route.events, result, reply, isAllowed)
  if (route.eventList)
    return sendEventList(route.eventList, result, reply, {
      offset,
      isAllowed,
      lastData: route.lastData,
      readChangeId: () => caller?.request?.changeId,
    })
  return sendNothing(caller, reply)
}

/** Sends a response without a body: 202 if a job continues the change, otherwise 204. */
const sendNothing = (caller: Caller | undefined, reply: FastifyReply): FastifyReply =>
  reply.code(caller?.request?.isRunning ? 202 : 204).send()

/** Returns the status of a response with a body. The handler of a route with `mayContinue` may have set 202. */
const statusOf = ({ status, mayContinue }: Route, reply: FastifyReply): number | undefined =>
  mayContinue && reply.statusCode === 202 ? 202 : status

const sendJson = (body: unknown, status: number | undefined, reply: FastifyReply): FastifyReply =>
  reply
    .code(status ?? 200)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body))
