import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { HandlerResult, HandlerInput, Route, Routes } from '#contract/route.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { respond, type AnyHandler, type MountedRoute } from './respond.ts'
import { bodyLimitBytes } from './body.ts'
import { canCallRoute, createInProcessRun } from './call-route.ts'
import { createOutputCheck } from './check.ts'
import { countRefused, identify } from './identity.ts'
import { acceptLargeJson } from './large-body.ts'
import type { Router } from './router.ts'
import { byteHeaders } from './stored-file.ts'
import { acceptRawBodies, acceptUploads, type Upload } from './upload.ts'

export type { Router } from './router.ts'

/** The argument of a handler. */
type Context<R extends Route> = Omit<HandlerInput<R>, 'body'> & {
  body: R extends { upload: true } ? Upload : HandlerInput<R>['body']
  /** The bytes of the body, exactly as they arrived. */
  rawBody: R extends { rawBody: true } ? Buffer : undefined
  /** The number of the first event that the client has not received yet. */
  offset: R extends { eventList: unknown } ? number : undefined
  /**
   * Aborts when the client disconnects before the response is complete. Undefined for a route that anyone may call, except for uploads and
   * event lists.
   */
  signal: R extends { upload: true } | { eventList: unknown } | { caller: 'user' | 'visitor' } ? AbortSignal : undefined
  /** The identity and the options of this request; undefined for a route that anyone may call. */
  caller: R['caller'] extends 'anyone' ? undefined : Caller
  /** The id of the session; undefined for a request with an API key, and for callers other than `user`. */
  session: R extends { caller: 'user' } ? (R extends { isForSessionsOnly: true } ? string : string | undefined) : undefined
  request: FastifyRequest
  reply: FastifyReply
}

/** The handler of each route. Its result is checked against the contract, so that no undeclared column is sent. */
export type Handlers<AllRoutes extends Routes> = {
  [Name in keyof AllRoutes]: (context: Context<AllRoutes[Name]>) => Promise<HandlerResult<AllRoutes[Name]>>
}

/** Adds routes to the server, with identity, limits, input checks, idempotency and output checks. */
export function mount<AllRoutes extends Routes>(router: Router, routes: AllRoutes, handlers: Handlers<AllRoutes>): void
// callers see only the signature above, which checks that each handler fits its route; the code below finds handlers by name
export function mount(router: Router, routes: Routes, handlers: Record<string, unknown>): void {
  const handlerOf =
    (name: string): AnyHandler =>
    async (context) => {
      const handler = handlers[name]
      if (typeof handler !== 'function') throw new Error(`No handler is mounted for ${name}`)
      return Reflect.apply(handler, undefined, [context])
    }
  for (const [name, route] of Object.entries<Route>(routes)) {
    router.routes.push(route)
    const mountedRoute: MountedRoute = {
      router,
      routes,
      route,
      handlerOf,
      run: handlerOf(name),
      checkOutput: route.out && createOutputCheck(route.out),
    }
    if (canCallRoute(route)) router.runInProcess.set(route, createInProcessRun(mountedRoute))
    addToServer(router, route, (request, reply) => respond(mountedRoute, request, reply))
  }
}

/** Adds a route to the server, with the body parsers that it needs. */
function addToServer(router: Router, route: Route, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>): void {
  const { method, path, download, file, upload, rawBody, largeBody } = route
  const options: RouteOptions = {
    method: download ? ['GET', 'HEAD'] : method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'), // Fastify writes the parameter {id} as :id
    exposeHeadRoute: false,
    ...(download && { compress: false }), // a range refers to the stored bytes, which compression would change
    onRequest: async (request, reply) => {
      if (download || file) reply.headers(byteHeaders)
      request.identity = await identify(router, route, request)
    },
    handler,
    ...(route.maxRequestsIn15Minutes?.refusedPerNetwork && { onError: (request) => countRefused(router, route, request) }),
  }
  if (!upload && !rawBody && !largeBody) {
    router.server.route(options)
    return
  }
  // a child server has its own body parsers, which do not affect the other routes
  void router.server.register(async (childServer) => {
    if (upload) acceptUploads(childServer)
    else if (largeBody) acceptLargeJson(childServer, { maxBytes: router.largeBodyBytes, ...largeBody })
    else acceptRawBodies(childServer, { maxBytes: bodyLimitBytes, acceptsAnyType: route.body === undefined })
    childServer.route(options)
  })
}
