// Every route that the contract declares for users requires a session, and never reads or writes the rows of another owner.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scopes } from '#contract/actors.ts'
import { scopesOf, type Route } from '#contract/route.ts'
import { allRoutes } from '#contract/routes.ts'
import { openTestAppWithAi } from '#server/testing/ai-app.ts'
import type { TestApp } from '#server/testing/app.ts'
import { createApiKey, signInAs, type Person } from '#server/testing/people.ts'
import { listOwnedTables, readOwnedRows } from '#server/testing/rows.ts'
import { createExampleRequest, addExamples, refersToRecord, type ExampleIds } from '#server/testing/examples.ts'

const routes = allRoutes.map((route) => ({ route, name: `${route.method} ${route.path}` }))

let app: TestApp
let ada: Person
let ids: ExampleIds
beforeAll(async () => {
  ;({ app } = await openTestAppWithAi())
  ada = await signInAs(app, 'ada')
  ids = await addExamples(app, ada)
})
afterAll(() => app.stop())

test('the server has exactly the routes of the contract', () => {
  expect(app.routes.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(routes.map(({ name }) => name).toSorted())
})

test.each(routes)('$name declares that it changes nothing, or is journaled, or has no undo for a reason', ({ route }) => {
  expect(declaresChanges(route)).toBe(true)
})

/** Routes that only read, but use POST because their input can be too long for an address. */
const readingRoutes = new Set(['/api/files/taken-names', '/api/files/selection/count'])

function declaresChanges({ method, path, changes, file }: Route): boolean {
  if (method === 'GET' || file || readingRoutes.has(path)) return changes === 'nothing'
  if (changes === 'journaled') return true
  return changes !== 'nothing' && changes.noUndo.length > 10
}

describe('without a session', () => {
  test.each(routes.filter(({ route }) => route.caller === 'user'))('$name returns 401 and writes nothing', async ({ route }) => {
    const before = await readOwnedRows(app, ada.id)
    const response = await app.server.inject(createExampleRequest(route, ids, ada.email))
    expect(response.statusCode).toBe(401)
    expect(response.headers['content-type']).toMatch(/^application\/problem\+json/)
    expect(response.json()).toMatchObject({ code: 'not_signed_in' })
    expect(await readOwnedRows(app, ada.id)).toEqual(before)
  })
})

describe('in a request of another user with the ids of the first user', () => {
  const testedRoutes = routes.filter(({ route }) => route.caller === 'user' && !route.events)
  test.each(testedRoutes)('$name reads and changes nothing of the first user', async ({ route }) => {
    const grace = await signInAs(app, 'grace')
    const before = await readOwnedRows(app, ada.id)
    const response = await grace.send(createExampleRequest(route, ids, grace.email))
    const isLink = route.path.endsWith('/{token}') // the token of the example belongs to nobody
    if (refersToRecord(route) || isLink) {
      expect(response.statusCode).toBe(404)
      expect(response.json()).toMatchObject({ code: 'not_found' })
    } else {
      expect(response.statusCode).toBeLessThan(300)
    }
    for (const secret of [ada.id, ada.email, ...Object.values(ids)]) expect(response.body).not.toContain(secret)
    expect(await readOwnedRows(app, ada.id)).toEqual(before)
  })
})

describe('with an API key', () => {
  const testedRoutes = routes.filter(({ route }) => route.caller === 'user' && !route.events)
  const sessionPaths = /^\/api\/(api-keys|webhooks|calendar-feed|other-calendars|session|sessions|account|ai|crm-connections|takeout)(\/|$)/

  test('no key manages keys, sessions, the account, connections or downloads of everything', () => {
    const forKeys = testedRoutes.filter(({ route }) => scopesOf(route).length > 0).map(({ route }) => route.path)
    expect(forKeys.length).toBeGreaterThan(80)
    expect(forKeys.filter((path) => sessionPaths.test(path))).toEqual([])
  })

  test.each(scopes)('a key with the scope %s may call no route of another scope', async (scope) => {
    const key = await createApiKey(app, ada, scope)
    const before = await readOwnedRows(app, ada.id)
    for (const { route, name } of testedRoutes.filter((tested) => !scopesOf(tested.route).includes(scope))) {
      const response = await key.send(createExampleRequest(route, ids, ada.email))
      expect([response.statusCode, response.json().code], name).toEqual([403, 'scope_missing'])
    }
    expect(await readOwnedRows(app, ada.id)).toEqual(before)
  })

  test.each(scopes)('a key of another user with the scope %s reads and changes nothing of the first user', async (scope) => {
    const before = await readOwnedRows(app, ada.id)
    for (const { route, name } of testedRoutes.filter((tested) => scopesOf(tested.route).includes(scope))) {
      const grace = await signInAs(app, 'grace')
      const key = await createApiKey(app, grace, scope)
      const response = await key.send(createExampleRequest(route, ids, grace.email))
      if (refersToRecord(route)) expect([response.statusCode, response.json().code], name).toEqual([404, 'not_found'])
      else expect(response.statusCode, `${name} ${response.body}`).toBeLessThan(300)
      for (const secret of [ada.id, ada.email, ...Object.values(ids)]) expect(response.body).not.toContain(secret)
    }
    expect(await readOwnedRows(app, ada.id)).toEqual(before)
  })
})

describe("SQL in the application's role", () => {
  let client: pg.Client
  beforeAll(async () => {
    client = new pg.Client(app.connections.application)
    await client.connect()
  })
  afterAll(() => client.end())

  async function setOwner(owner: string): Promise<void> {
    await client.query(`select set_config('app.owner', $1, false), set_config('app.actor', 'user:test', false)`, [owner])
  }
  /** Runs a statement. Returns the number of its rows, or the code of its error. */
  const attempt = async (text: string, values: unknown[]): Promise<number | string> => {
    try {
      return (await client.query(text, values)).rowCount ?? 0
    } catch (error) {
      return error instanceof pg.DatabaseError && error.code ? error.code : 'failed'
    }
  }
  /** PostgreSQL's error code for a missing right, also of row security. */
  const noRight = '42501'

  test('the role of the application cannot read or write a row of another owner in any table', async () => {
    const grace = await signInAs(app, 'grace')
    await addExamples(app, grace)
    const tables = await listOwnedTables(app, { withHistory: true })
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['crm_contacts', 'profiles', 'sessions', 'users', 'journal']))
    for (const owner of [grace.id, '']) {
      await setOwner(owner)
      for (const { name, key } of tables) {
        expect([0, noRight], `select ${name}`).toContain(await attempt(`select from ${name} where ${key} = $1`, [ada.id]))
        expect([0, noRight], `update ${name}`).toContain(await attempt(`update ${name} set ${key} = ${key} where ${key} = $1`, [ada.id]))
        expect([0, noRight], `delete ${name}`).toContain(await attempt(`delete from ${name} where ${key} = $1`, [ada.id]))
        expect(await attempt(`insert into ${name} (${key}) values ($1)`, [ada.id]), `insert ${name}`).toBe(noRight)
      }
    }
    await setOwner(ada.id)
    const ownRows = (await readOwnedRows(app, ada.id))['crm_contacts']
    expect(await attempt('select from crm_contacts', [])).toBe(ownRows?.length)
  })

  test('the role of the application cannot move its own row to another owner, and cannot bypass row security', async () => {
    const grace = await signInAs(app, 'grace')
    await addExamples(app, grace)
    await setOwner(grace.id)
    expect(await attempt('update crm_contacts set user_id = $1', [ada.id])).toBe(noRight)
    expect(await attempt('alter table crm_contacts disable row level security', [])).toBe(noRight)
    expect(await attempt('set role foyer', [])).toBe(noRight)
    expect(await attempt('select from attempts', [])).toBe(noRight)
    expect(await attempt('select from jobs.jobs', [])).toBe(noRight)
  })

  // `app.erase_row` runs with the rights of the table owner. It must not delete from a temporary table, whose triggers would get these
  // rights.
  test('the role of the application cannot get the rights of the table owner through a temporary table', async () => {
    const grace = await signInAs(app, 'grace')
    await setOwner(grace.id)
    await client.query(`
      create temporary table bait (user_id uuid, id uuid);
      grant all on bait to public;
      create function pg_temp.take() returns trigger language plpgsql as $$ begin
        grant select on attempts to foyer_app;
        return old;
      end $$;
      create trigger journal_delete_direct before delete on bait for each row execute function pg_temp.take()`)
    await client.query('insert into bait values ($1, $1)', [grace.id])
    await attempt(`select app.erase_row('bait', $1)`, [grace.id])
    expect(await attempt('select from attempts', [])).toBe(noRight)
  })
})
