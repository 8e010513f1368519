import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import type { Answer, Parsed, Route, Routes } from '#contract/route.ts'
import { callerFor, type Caller } from '#server/platform/database/transaction.ts'
import type { EarlierWrite } from '#server/platform/journal/history.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { refuseUnstorable } from './body.ts'
import { checkInput, outputCheck, type OutputCheck } from './check.ts'
import { disconnectSignal, endDisconnected, isDisconnect } from './disconnect.ts'
import { networkOf, type CountAttempt } from './limits.ts'
import { isLostRace, readIdempotencyKey, type Idempotency } from './repeat.ts'
import { sendFile } from './file.ts'
import { sendEvents } from './stream.ts'

/** The owner and the session of a request, as the accounts feature found them. */
export type SignedIn = { owner: string; session: string }

/** Where features mount their routes, and what every route needs. */
export type Router = {
  server: FastifyInstance
  authenticate: (request: FastifyRequest) => Promise<SignedIn | undefined>
  countAttempt: CountAttempt
  findRepeat: (caller: Caller, key: string) => Promise<EarlierWrite | undefined>
  /** All mounted routes, for the OpenAPI document and the tests of every route. */
  mounted: Route[]
}

type Context<R extends Route> = Parsed<R> & {
  /** The owner, actor and request options; undefined where anyone may call. */
  caller: R['caller'] extends 'user' ? Caller : undefined
  session: R['caller'] extends 'user' ? string : undefined
  request: FastifyRequest
  reply: FastifyReply
}

/** One function for each route of a list; its result is checked against the contract, so that no unnamed column is sent. */
export type Handlers<Defined extends Routes> = {
  [Name in keyof Defined]: (context: Context<Defined[Name]>) => Promise<Answer<Defined[Name]>>
}

type AnyContext = { params: unknown; query: unknown; body: unknown; caller: unknown; session: unknown; request: unknown; reply: unknown }
type AnyHandler = (context: AnyContext) => Promise<unknown>

type MountedRoute = {
  router: Router
  routes: Routes
  route: Route
  run: AnyHandler
  handlerOf: (name: string) => AnyHandler
  checkOutput: OutputCheck | undefined
}

/** Mounts every route of a list: authentication, limits, checked input, repeats, checked output. */
export function mount<Defined extends Routes>(router: Router, routes: Defined, handlers: Handlers<Defined>): void
// the types of routes and handlers were compared in the signature above; below they are found by name
export function mount(router: Router, routes: Routes, handlers: Record<string, unknown>): void {
  const handlerOf =
    (name: string): AnyHandler =>
    async (context) => {
      const handler = handlers[name]
      if (typeof handler !== 'function') throw new Error(`No handler is mounted for ${name}`)
      return Reflect.apply(handler, undefined, [context])
    }
  for (const [name, route] of Object.entries<Route>(routes)) {
    router.mounted.push(route)
    const mounted: MountedRoute = {
      router,
      routes,
      route,
      handlerOf,
      run: handlerOf(name),
      checkOutput: route.out && outputCheck(route.out),
    }
    router.server.route({
      method: route.method,
      url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      ...(route.method === 'GET' && { exposeHeadRoute: false }),
      onRequest: async (request) => {
        if (route.maxAttempts) await router.countAttempt(route.maxAttempts, `${route.method} ${route.path}`, networkOf(request.ip))
        request.signedIn = route.caller === 'user' ? await requireSession(router, request) : undefined
      },
      handler: (request, reply) => answer(mounted, request, reply),
    })
  }
}

async function requireSession(router: Router, request: FastifyRequest): Promise<SignedIn> {
  const found = await router.authenticate(request)
  if (!found) throw new Refusal('not_signed_in')
  return found
}

async function answer(mounted: MountedRoute, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { route } = mounted
  const input = {
    params: route.params ? paramsOf(route.params, request.params) : {},
    query: route.query ? queryOf(route.query, request.query) : {},
    body: route.body ? checkInput(route.body, request.body) : undefined,
  }
  const idempotency = route.changes === 'journaled' ? readIdempotencyKey(request) : undefined
  const caller = request.signedIn && callerOf(request.signedIn, route, idempotency, reply)
  const context = { ...input, caller, session: request.signedIn?.session, request, reply }
  try {
    return await answerOnce(mounted, idempotency, context, request, reply)
  } catch (error) {
    if (caller && isDisconnect(caller, error)) return endDisconnected(reply)
    throw error
  }
}

/** Runs the handler, unless the same key was used before: then the first request's result is answered. */
async function answerOnce(
  mounted: MountedRoute,
  idempotency: Idempotency | undefined,
  context: AnyContext & { caller: Caller | undefined },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { route, router } = mounted
  const { caller } = context
  const findEarlier = async (): Promise<EarlierWrite | undefined> =>
    caller && idempotency ? router.findRepeat(caller, idempotency.key) : undefined
  const earlier = await findEarlier()
  if (earlier && idempotency) return answerRepeat(mounted, earlier, idempotency, context, reply)
  try {
    const result = await mounted.run(context)
    if (route.file) return await sendFile(route.file, result, reply, { owner: caller?.owner ?? '' })
    if (route.events) return sendEvents(route.events, result, reply, async () => (await router.authenticate(request)) !== undefined)
    const first = reply.hasHeader('foyer-change') ? undefined : await findEarlier()
    if (first && idempotency) return await answerRepeat(mounted, first, idempotency, context, reply)
    return send(mounted, result, reply)
  } catch (error) {
    const first = isLostRace(error) ? await findEarlier() : undefined
    if (first && idempotency) return answerRepeat(mounted, first, idempotency, context, reply)
    throw error
  }
}

/** An id that is malformed is the id of nothing. */
function paramsOf(schema: z.ZodMiniType, params: unknown): unknown {
  const { success, data } = schema.safeParse(params)
  if (!success) throw new Refusal('not_found')
  return data
}

function queryOf(schema: z.ZodMiniType, query: unknown): unknown {
  refuseUnstorable(query, '')
  return checkInput(schema, query)
}

function callerOf({ owner }: SignedIn, route: Route, idempotency: Idempotency | undefined, reply: FastifyReply): Caller {
  const signal = disconnectSignal(reply)
  const caller = { ...callerFor(owner), queueSignal: signal }
  if (route.changes === 'nothing') return { ...caller, readSignal: signal }
  if (route.changes !== 'journaled') return caller // its change set, if there is one, cannot be undone
  return { ...caller, ...(idempotency && { idempotency }), onChange: (change) => void reply.header('foyer-change', change) }
}

/** Writes nothing and answers with the record as it is now. */
async function answerRepeat(
  mounted: MountedRoute,
  earlier: EarlierWrite,
  idempotency: Idempotency,
  context: AnyContext,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { routes, route, handlerOf } = mounted
  if (earlier.hash !== idempotency.hash) throw new Refusal('request_reused')
  reply.header('foyer-change', earlier.change)
  if (!route.repeats) return send(mounted, undefined, reply)
  const ids = { params: context.params, record: { id: earlier.record }, change: { id: earlier.change } }
  const sibling = routes[route.repeats.route]
  if (!sibling) throw new Error(`${route.path} repeats an unknown route`)
  return send(mounted, await handlerOf(route.repeats.route)({ ...context, params: ids[route.repeats.id] }), reply)
}

function send({ route, checkOutput }: MountedRoute, result: unknown, reply: FastifyReply): FastifyReply {
  if (!checkOutput) return reply.code(204).send()
  const checked = checkOutput(result)
  return reply
    .code(route.status ?? 200)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(checked))
}
