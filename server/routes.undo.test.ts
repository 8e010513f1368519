// Every route of the contract succeeds with its example. Journaled routes can be undone, redone and repeated; the tests compare all rows.
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { newId } from '#server/platform/database/uuid.ts'
import { openTestAppWithAi } from '#server/testing/ai-app.ts'
import type { TestApp } from '#server/testing/app.ts'
import { createApiKey, signInAs, type Person } from '#server/testing/people.ts'
import type { Route } from '#contract/route.ts'
import { allRoutes } from '#contract/routes.ts'
import { readOwnedRows } from '#server/testing/rows.ts'
import { createExampleRequest, addExamples, type ExampleIds } from '#server/testing/examples.ts'

let app: TestApp
/** A workspace with the examples, for the routes that change nothing or whose changes are undone. */
let sharedWorkspace: Workspace
beforeAll(async () => {
  ;({ app } = await openTestAppWithAi())
  sharedWorkspace = await openWorkspace()
})
afterAll(() => app.stop())

type Workspace = { ada: Person; key: Pick<Person, 'send'>; ids: ExampleIds }

/** Signs in a new user with the examples and an API key. */
async function openWorkspace(): Promise<Workspace> {
  const ada = await signInAs(app, 'ada')
  return { ada, key: await createApiKey(app, ada, 'read', 'write'), ids: await addExamples(app, ada) }
}

const routes = allRoutes.map((route) => ({ route, name: `${route.method} ${route.path}` }))
/** Without the routes for visitors, which need the token of a page; the tests of their features send one. */
const ownerRoutes = routes.filter(({ route }) => route.caller !== 'visitor')

/** Routes for sessions only that write the same tables as routes for API keys, so that a key may undo their changes. */
const undoneByKeys = new Set(['POST /api/proposals/{id}/apply'])

// a table that only routes for sessions write must be in `tablesForSessionsOnly` of its feature, so that no key undoes their changes
test.each(ownerRoutes.filter(({ route }) => route.changes === 'journaled'))(
  '$name succeeds, writes nothing when it is repeated with its Idempotency-Key, and can be undone and redone by those who may call it',
  async ({ route, name }) => {
    onTestFailed(async () => void (sharedWorkspace = await openWorkspace()))
    const { ada, key, ids } = sharedWorkspace
    const isForKeys = !route.isForSessionsOnly || undoneByKeys.has(name)
    const { headers, ...request } = createExampleRequest(route, ids, ada.email)
    const requestWithKey = { ...request, headers: { ...headers, 'idempotency-key': newId() } }
    const readRows = () => readOwnedRows(app, ada.id, { onlyJournaled: true })
    const before = await readRows()

    const first = await ada.send(requestWithKey)
    expect(first.statusCode, first.body).toBe(successStatusOf(route))
    const after = await readRows()
    expect(after).not.toEqual(before)

    const second = await ada.send(requestWithKey)
    const change = String(first.headers['foyer-change'])
    expect([second.statusCode, second.headers['foyer-change']]).toEqual([first.statusCode, change])
    expect(withoutJobFields(second.body)).toBe(withoutJobFields(first.body))
    expect(await readRows()).toEqual(after)

    if (!isForKeys) {
      const refusal = await key.send({ method: 'POST', url: `/api/changes/${change}/undo` })
      expect([refusal.statusCode, refusal.json().code]).toEqual([403, 'scope_missing'])
    }
    const undone = await undo(ada, change)
    expect(await readRows()).toEqual(before)
    const redone = await undo(ada, undone)
    expect(await readRows()).toEqual(after)
    await undo(isForKeys ? key : ada, redone)
  },
)

/** Returns a response without the fields of files and calendars that a job sets between the two requests. */
const withoutJobFields = (body: string): string =>
  body.replaceAll(/"(?:text_state|text_reason|has_thumbnail|next_read_at|is_due|problem)":(?:"[^"]*"|\w+),?/g, '')

/**
 * Routes whose examples cannot succeed in the tests. The first two send a token by mail or need such a token, and there is no mail server.
 * The links need a token that is new each time. The file of the examples is a text, which has no thumbnail and was not made by the AI.
 */
const cannotSucceed = new Set([
  'POST /api/password-resets',
  'POST /api/password-resets/use',
  'GET /api/file-links/{token}',
  'GET /api/files/{id}/thumbnail',
  'GET /functions/v1/ai-image-gen/{id}',
  'GET /api/takeout/{token}',
])

// a route with `events` is left out, because its response never ends; the response of a route with `eventList` ends
test.each(ownerRoutes.filter(({ route, name }) => route.changes !== 'journaled' && !route.events && !cannotSucceed.has(name)))(
  '$name succeeds with its example, and returns no id of a change',
  async ({ route }) => {
    const { ada, ids } = route.changes === 'nothing' ? sharedWorkspace : await openWorkspace()
    const response = await ada.send(createExampleRequest(route, ids, ada.email))
    expect(response.statusCode, response.body).toBe(successStatusOf(route))
    expect(response.headers['foyer-change']).toBeUndefined()
  },
)

const successStatusOf = (route: Route): number => route.status ?? (route.out || route.file || route.download || route.eventList ? 200 : 204)

async function undo(person: Pick<Person, 'send'>, changeId: string): Promise<string> {
  const response = await person.send({ method: 'POST', url: `/api/changes/${changeId}/undo` })
  expect(response.statusCode, response.body).toBe(200)
  expect(response.json().skipped).toEqual([])
  return response.json().id
}
