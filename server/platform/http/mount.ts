import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import type { Answer, Parsed, Route, Routes } from '#contract/route.ts'
import { callerFor, type Caller } from '#server/platform/database/transaction.ts'
import { constraintName } from '#server/platform/error-code.ts'
import type { EarlierWrite } from '#server/platform/journal/history.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { refuseUnstorable } from './body.ts'
import { checkInput, outputCheck, type OutputCheck } from './check.ts'
import { networkOf, type CountTry } from './limits.ts'
import { attemptOf, type Attempt } from './repeat.ts'
import { sendFile } from './file.ts'
import { sendEvents } from './stream.ts'

/** Who is behind a request, as the accounts feature found it. */
export type SignedIn = { owner: string; session: string }

/** What the door needs of the house to let a request in. */
export type Router = {
  server: FastifyInstance
  authenticate: (request: FastifyRequest) => Promise<SignedIn | undefined>
  countTry: CountTry
  findRepeat: (caller: Caller, key: string) => Promise<EarlierWrite | undefined>
  /** Every route that was mounted, for the OpenAPI document and the matrices. */
  mounted: Route[]
}

type Context<R extends Route> = Parsed<R> & {
  /** For whom to work; unset where anyone may call. */
  caller: R['caller'] extends 'user' ? Caller : undefined
  session: R['caller'] extends 'user' ? string : undefined
  request: FastifyRequest
  reply: FastifyReply
}

/** One function for each route of a list; what it returns is checked against the contract, so that no column leaves unnamed. */
export type Handlers<Defined extends Routes> = {
  [Name in keyof Defined]: (context: Context<Defined[Name]>) => Promise<Answer<Defined[Name]>>
}

type AnyContext = { params: unknown; query: unknown; body: unknown; caller: unknown; session: unknown; request: unknown; reply: unknown }
type AnyHandler = (context: AnyContext) => Promise<unknown>

/** Opens every route of a list: who may call, limits, checked input, repeats, checked output. */
export function mount<Defined extends Routes>(router: Router, routes: Defined, handlers: Handlers<Defined>): void
// past this line a route and its handler belong together by name; their types met above
export function mount(router: Router, routes: Routes, handlers: Record<string, unknown>): void {
  const handlerOf =
    (name: string): AnyHandler =>
    async (context) => {
      const handler = handlers[name]
      if (typeof handler !== 'function') throw new Error(`Nothing answers ${name}`)
      return Reflect.apply(handler, undefined, [context])
    }
  for (const [name, route] of Object.entries<Route>(routes)) {
    router.mounted.push(route)
    const opened: Opened = { router, routes, route, handlerOf, run: handlerOf(name), checkOutput: route.out && outputCheck(route.out) }
    router.server.route({
      method: route.method,
      url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      ...(route.method === 'GET' && { exposeHeadRoute: false }),
      onRequest: async (request) => {
        if (route.triesPerQuarterHour)
          await router.countTry(route.triesPerQuarterHour, `${route.method} ${route.path}`, networkOf(request.ip))
        request.signedIn = route.caller === 'user' ? await signedIn(router, request) : undefined
      },
      handler: (request, reply) => answer(opened, request, reply),
    })
  }
}

type Opened = {
  router: Router
  routes: Routes
  route: Route
  run: AnyHandler
  handlerOf: (name: string) => AnyHandler
  checkOutput: OutputCheck | undefined
}

async function signedIn(router: Router, request: FastifyRequest): Promise<SignedIn> {
  const found = await router.authenticate(request)
  if (!found) throw new Refusal('not_signed_in')
  return found
}

async function answer(opened: Opened, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { route } = opened
  const input = {
    params: route.params ? paramsOf(route.params, request.params) : {},
    query: route.query ? queryOf(route.query, request.query) : {},
    body: route.body ? checkInput(route.body, request.body) : undefined,
  }
  const attempt = route.changes === 'journaled' ? attemptOf(request) : undefined
  const caller = request.signedIn && whoFor(request, reply, route, attempt)
  const context = { ...input, caller, session: request.signedIn?.session, request, reply }
  try {
    return await answerOnce(opened, attempt, context, request, reply)
  } catch (error) {
    if (caller && hasLeft(caller, error)) return leave(reply)
    throw error
  }
}

/** Asked again under the same key, a write is not done again. */
async function answerOnce(
  opened: Opened,
  attempt: Attempt | undefined,
  context: AnyContext & { caller: Caller | undefined },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { route, router } = opened
  const { caller } = context
  const findEarlier = async (): Promise<EarlierWrite | undefined> =>
    caller && attempt ? router.findRepeat(caller, attempt.key) : undefined
  const earlier = await findEarlier()
  if (earlier && attempt) return repeatAnswer(opened, earlier, attempt, context, reply)
  try {
    const result = await opened.run(context)
    if (route.file) return await sendFile(route.file, result, reply, { owner: caller?.owner ?? '' })
    if (route.events) return sendEvents(route.events, result, reply, async () => (await router.authenticate(request)) !== undefined)
    const overtaking = reply.hasHeader('foyer-change') ? undefined : await findEarlier()
    if (overtaking && attempt) return await repeatAnswer(opened, overtaking, attempt, context, reply)
    return send(opened, result, reply)
  } catch (error) {
    const overtaking = isOvertaken(error) ? await findEarlier() : undefined
    if (overtaking && attempt) return repeatAnswer(opened, overtaking, attempt, context, reply)
    throw error
  }
}

/** An id that cannot be one is an id that nobody has. */
function paramsOf(schema: z.ZodMiniType, params: unknown): unknown {
  const { success, data } = schema.safeParse(params)
  if (!success) throw new Refusal('not_found')
  return data
}

function queryOf(schema: z.ZodMiniType, query: unknown): unknown {
  refuseUnstorable(query, '')
  return checkInput(schema, query)
}

function whoFor(request: FastifyRequest, reply: FastifyReply, route: Route, attempt: Attempt | undefined): Caller {
  const signal = leaving(reply)
  const caller = { ...callerFor(request.signedIn?.owner ?? ''), waiting: signal }
  if (route.changes === 'nothing') return { ...caller, signal }
  if (route.changes !== 'journaled') return caller // its change set, if it leaves one, is nothing to undo
  return { ...caller, attempt: { ...attempt, written: (change) => void reply.header('foyer-change', change) } }
}

/** Whether this failed because the asker has gone: a read may end anyhow then, a write only where it waited. */
const hasLeft = ({ signal, waiting }: Caller, error: unknown): boolean =>
  signal?.aborted === true || (waiting?.aborted === true && error === waiting.reason)

/** Whoever asked has gone: there is nobody to answer and nothing to complain of. */
function leave(reply: FastifyReply): FastifyReply {
  reply.log.debug('the asker left')
  return reply.hijack()
}

/** Aborts when the asker leaves before the answer. */
function leaving(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const abort = (): void => {
    if (!reply.raw.writableFinished) controller.abort(new Error('The asker left'))
  }
  if (reply.raw.destroyed) abort()
  else reply.raw.once('close', abort)
  return controller.signal
}

/** The same write again writes nothing and answers with the record as it stands. */
async function repeatAnswer(
  opened: Opened,
  earlier: EarlierWrite,
  attempt: Attempt,
  context: AnyContext,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { routes, route, handlerOf } = opened
  if (earlier.hash !== attempt.hash) throw new Refusal('request_reused')
  reply.header('foyer-change', earlier.change)
  if (!route.repeats) return send(opened, undefined, reply)
  const ids = { params: context.params, record: { id: earlier.record }, change: { id: earlier.change } }
  const sibling = routes[route.repeats.route]
  if (!sibling) throw new Error(`${route.path} repeats an unknown route`)
  return send(opened, await handlerOf(route.repeats.route)({ ...context, params: ids[route.repeats.id] }), reply)
}

/**
 * Of two requests with one key at once, the second may find the first's change set when it writes its own, or be refused because the
 * first has done it (what it deletes is gone), or have nothing left to write. What found the line full was not tried.
 */
const isOvertaken = (error: unknown): boolean =>
  error instanceof Refusal ? error.code !== 'too_many_requests' : constraintName(error) === 'changesets_request_key'

function send({ route, checkOutput }: Opened, result: unknown, reply: FastifyReply): FastifyReply {
  if (!checkOutput) return reply.code(204).send()
  const checked = checkOutput(result) // throws: then it is our mistake, and nothing leaves
  return reply
    .code(route.status ?? 200)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(checked))
}
