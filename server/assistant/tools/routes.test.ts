// Every route of the contract is reached by a tool of the assistant, or has a reason why not.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scopesOf } from '#contract/route.ts'
import { allRoutes } from '#contract/routes.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { toJsonSchema } from './describe.ts'
import { exceptions, hasNoTool, nameOf } from './exceptions.ts'
import { createToolKinds, type ToolKind } from './kinds.ts'
import { listReadingRoutes } from './read-routes.ts'
import { createTools } from './tools.ts'
import { createToolState } from './tool-state.ts'

let app: TestApp
let ada: Person
let toolKinds: ToolKind[]
beforeAll(async () => {
  app = await openTestApp()
  ada = await signInAs(app, 'ada')
  toolKinds = createToolKinds(app.context.kinds)
})
afterAll(() => app.stop())

const listReached = (): Set<string> =>
  new Set([...toolKinds.flatMap(({ routes }) => Object.values(routes)), ...listReadingRoutes(toolKinds)].map(nameOf))

test('every route is reached by a tool or is an exception', () => {
  const reached = listReached()
  expect(allRoutes.filter((route) => !reached.has(nameOf(route)) && !hasNoTool(route)).map(nameOf)).toEqual([])
})

test('every tool that reads calls routes that an API key may read', () => {
  expect(listReadingRoutes(toolKinds).filter((route) => !scopesOf(route).includes('read'))).toEqual([])
})

test('no exception covers a route that is reached', () => {
  const reached = listReached()
  expect(allRoutes.filter((route) => reached.has(nameOf(route)) && hasNoTool(route)).map(nameOf)).toEqual([])
})

test('every exception covers a route', () => {
  expect(exceptions.filter(({ routes }) => !allRoutes.some((route) => routes.test(nameOf(route))))).toEqual([])
})

test('the tools have different names, and their descriptions and schemas together are small, because each step sends them', () => {
  const toolState = createToolState({ conversationId: '', answerId: '', allowedChanges: [], hasUntrustedText: false, addStep: () => {} })
  const tools = createTools(app.context, app.router, callerFor(ada.id), toolState)
  const names = tools.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => !/^[a-z_]{3,40}$/.test(name))).toEqual([])
  const described = JSON.stringify(tools.map(({ name, description, inputSchema }) => [name, description, toJsonSchema(inputSchema)]))
  expect(described.length).toBeLessThan(20_000)
})
