import type { RequestInput, ResponseBody, Route } from '#contract/route.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { parseJson } from './body.ts'
import { checkInput } from './check.ts'
import { parseParams, parseQuery, type MountedRoute } from './respond.ts'
import type { Router } from './router.ts'

/** The parts of a request, which are not checked yet. */
type Input = { params?: unknown; query?: object; body?: unknown }

/**
 * Runs a mounted route inside the process, for a caller whose identity is known. The input is checked as in a request, the result as in a
 * response. Throws the refusals of the route, and an error for a route that cannot run without a request: see `canCallRoute`. Inside of
 * `database.transaction` the route joins the transaction, which must belong to the same owner.
 */
export function callRoute<R extends Route>(router: Router, route: R, caller: Caller, input: RequestInput<R>): Promise<ResponseBody<R>>
export function callRoute({ runInProcess }: Router, route: Route, caller: Caller, input: unknown): Promise<unknown> {
  const run = runInProcess.get(route)
  if (!run) throw new Error(`${route.method} ${route.path} cannot be called inside the process`)
  return run(caller, { ...(typeof input === 'object' && input) })
}

/** Whether `callRoute` can run the route: it is for users, and neither its body nor its response is a file or a stream. */
export const canCallRoute = ({ caller, upload, rawBody, largeBody, events, eventList, file, download }: Route): boolean =>
  caller === 'user' && ![upload, rawBody, largeBody, events, eventList, file, download].some((isUsed) => isUsed !== undefined)

/** Returns the function that runs a mounted route for `callRoute`. */
export const createInProcessRun =
  ({ route, run, checkOutput }: MountedRoute) =>
  async (caller: Caller, { params = {}, query = {}, body }: Input): Promise<unknown> => {
    const context = {
      params: route.params ? parseParams(route.params, params) : {},
      query: route.query ? parseQuery(route.query, toQueryTexts(query)) : {},
      body: route.body ? checkInput(route.body, parseJson(JSON.stringify(body ?? null))) : undefined,
      caller,
      get session(): unknown {
        throw needsRequest(route)
      },
      get request(): unknown {
        throw needsRequest(route)
      },
      get reply(): unknown {
        throw needsRequest(route)
      },
    }
    const result = await run(context)
    return checkOutput?.(result)
  }

/** Returns the parameters as the texts that a request would have. */
const toQueryTexts = (query: object): Record<string, string> =>
  Object.fromEntries(Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])))

const needsRequest = ({ method, path }: Route): Error =>
  new Error(`${method} ${path} needs a request and cannot be called inside the process`)
