import { contactRoutes } from '#contract/contacts.ts'
import { QueryObserver } from '@tanstack/react-query'
import { changeResponse, nora, mockServer } from '#web/testing.ts'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { listenForChanges } from './events.ts'
import { call } from './client.ts'
import { newId } from './ids.ts'
import { everyTable, queries, refreshTables } from './queries.ts'
import { signIn, signOut, watchSession } from './session.ts'

/** A fake EventSource whose events are sent by the test. */
class FakeStream extends EventTarget {
  static readonly CLOSED = 2
  static instances: FakeStream[] = []
  readyState = 0
  readonly address: string
  constructor(address: string) {
    super()
    this.address = address
    FakeStream.instances.push(this)
  }
  close(): void {
    this.readyState = FakeStream.CLOSED
  }
  send(tables: string[], changeId = newId()): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify({ change: changeId, tables }) }))
  }
}

/** The queries that the page shows: the name of each query, and the tables whose rows it reads. */
const activeQueries = {
  contacts: ['crm_contacts'],
  deals: ['deals', 'crm_contacts'],
  history: [everyTable],
  you: ['profiles'],
  tasks: ['tasks'],
  version: [],
}
let stop = (): void => {}
let fetches: string[] = []

beforeEach(async () => {
  mockServer({ 'POST /api/session': { ...nora, token: '' }, 'DELETE /api/session': undefined })
  await signIn({ email: nora.user.email, password: 'correct horse' })
  queries.clear()
  FakeStream.instances = []
  fetches = []
  vi.stubGlobal('EventSource', FakeStream)
  vi.useFakeTimers()
  for (const [name, tables] of Object.entries(activeQueries))
    new QueryObserver(queries, {
      queryKey: [name],
      meta: { tables },
      queryFn: () => {
        fetches.push(name)
        return 1
      },
    }).subscribe(() => {})
  stop = listenForChanges()
})

afterEach(() => {
  stop()
  vi.useRealTimers()
})

/** Runs an action and returns the names of the queries that were fetched because of it. */
async function getFetchesAfter(action: () => void): Promise<string[]> {
  await vi.advanceTimersByTimeAsync(1000)
  fetches = []
  action()
  await vi.advanceTimersByTimeAsync(1000)
  return fetches.toSorted()
}

const getStream = (): FakeStream => {
  const last = FakeStream.instances.at(-1)
  if (!last) throw new Error('No stream is open')
  return last
}

test('queries of the changed tables and queries of every table are fetched again', async () => {
  expect(await getFetchesAfter(() => getStream().send(['crm_contacts']))).toEqual(['contacts', 'deals', 'history'])
  expect(await getFetchesAfter(() => getStream().send(['deals']))).toEqual(['deals', 'history'])
  expect(await getFetchesAfter(() => getStream().send(['profiles']))).toEqual(['history', 'you'])
})

test('after a change of this tab, its event fetches only the queries that the tab has not fetched since the response', async () => {
  const changeId = newId()
  const server = mockServer({ 'DELETE /api/contacts/{id}': changeResponse(changeId) })
  const write = async (): Promise<void> => {
    await call(contactRoutes.delete, { params: { id: newId() } })
    await refreshTables(['crm_contacts'])
    fetches = []
    getStream().send(['crm_contacts', 'deals', 'tasks'], changeId)
  }
  // `write` has fetched the queries of contacts, deals and the history after the response, so only the tasks are left
  expect(await getFetchesAfter(() => void write())).toEqual(['tasks'])
  expect(server.requestsTo('DELETE /api/contacts/{id}')).toHaveLength(1)
  expect(await getFetchesAfter(() => getStream().send(['crm_contacts']))).toEqual(['contacts', 'deals', 'history'])
})

test('an event that arrives before the response to the write of this tab waits for the response', async () => {
  const change = newId()
  const response = Promise.withResolvers<void>()
  mockServer({
    'DELETE /api/contacts/{id}': async () => {
      await response.promise
      return changeResponse(change)
    },
  })
  const write = async (): Promise<void> => {
    await call(contactRoutes.delete, { params: { id: newId() } })
    await refreshTables(['crm_contacts'])
    fetches = []
  }
  const writeAndReceiveEvent = (): void => {
    void write()
    getStream().send(['crm_contacts'], change)
  }
  expect(await getFetchesAfter(writeAndReceiveEvent)).toEqual([])
  // after the response, `write` fetches the queries and then empties `fetches`, so a later fetch would be caused by the event
  expect(await getFetchesAfter(() => response.resolve())).toEqual([])
  expect(await getFetchesAfter(() => getStream().send(['crm_contacts']))).toEqual(['contacts', 'deals', 'history'])
})

test('one stream is opened at the address in the contract', async () => {
  await vi.advanceTimersByTimeAsync(1000)
  expect(FakeStream.instances.map(({ address }) => address)).toEqual(['/api/events'])
})

test('fifty changes at the same time fetch each query once', async () => {
  const sendFiftyChanges = (): void => {
    for (let change = 0; change < 50; change++) getStream().send(['crm_contacts'])
  }
  expect(await getFetchesAfter(sendFiftyChanges)).toEqual(['contacts', 'deals', 'history'])
})

test('20 changes within a second fetch a query once in that second, and once more for the last changes', async () => {
  await vi.advanceTimersByTimeAsync(1000)
  fetches = []
  for (let change = 0; change < 20; change++) {
    getStream().send(['tasks'])
    await vi.advanceTimersByTimeAsync(50)
  }
  const getFetchesOfTasks = () => fetches.filter((name) => name === 'tasks')
  expect(getFetchesOfTasks()).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(5000)
  expect(getFetchesOfTasks()).toHaveLength(2)
})

test('all queries are fetched again when the stream opens, and when it opens again after a lost connection', async () => {
  const allQueries = ['contacts', 'deals', 'history', 'tasks', 'version', 'you']
  expect(await getFetchesAfter(() => void getStream().dispatchEvent(new Event('open')))).toEqual(allQueries)
  const reconnect = (): void => {
    getStream().dispatchEvent(new Event('error'))
    getStream().dispatchEvent(new Event('open'))
  }
  expect(await getFetchesAfter(reconnect)).toEqual(allQueries)
})

test('a stream that the browser has closed is opened again, but not after `stop` was called', async () => {
  await vi.advanceTimersByTimeAsync(0)
  getStream().close()
  await vi.advanceTimersByTimeAsync(20_000) // the page looks for a closed stream every 15 s
  expect(FakeStream.instances).toHaveLength(2)
  stop()
  expect(getStream().readyState).toBe(FakeStream.CLOSED)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(FakeStream.instances).toHaveLength(2)
})

test('a change just before sign-out is not fetched while the sign-in page is loaded', async () => {
  onTestFinished(watchSession(() => new Promise(() => {}))) // the sign-in page stays loading until the test ends
  const fetched = await getFetchesAfter(() => {
    FakeStream.instances[0]?.send(['crm_contacts'])
    void signOut()
  })
  expect(fetched).toEqual([])
})

test('after the user has signed out, a closed stream is not opened again', async () => {
  await vi.advanceTimersByTimeAsync(0)
  getStream().close()
  await signOut()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(FakeStream.instances).toHaveLength(1)
})
