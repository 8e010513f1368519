import { contactRoutes } from '#contract/contacts.ts'
import { QueryObserver } from '@tanstack/react-query'
import { changeResponse, nora, mockServer } from '#web/testing.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listenForChanges } from './events.ts'
import { call } from './client.ts'
import { newId } from './ids.ts'
import { everyTable, queries, refreshTables } from './queries.ts'
import { signIn, signOut } from './session.ts'

/** A fake EventSource whose events are sent by the test. */
class Stream extends EventTarget {
  static readonly CLOSED = 2
  static instances: Stream[] = []
  readyState = 0
  readonly address: string
  constructor(address: string) {
    super()
    this.address = address
    Stream.instances.push(this)
  }
  close(): void {
    this.readyState = Stream.CLOSED
  }
  send(tables: string[], change = newId()): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify({ change, tables }) }))
  }
}

/** The shown queries with their tables. */
const shownQueries = {
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
  Stream.instances = []
  fetches = []
  vi.stubGlobal('EventSource', Stream)
  vi.useFakeTimers()
  for (const [name, tables] of Object.entries(shownQueries))
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
async function fetchesAfter(action: () => void): Promise<string[]> {
  await vi.advanceTimersByTimeAsync(1000)
  fetches = []
  action()
  await vi.advanceTimersByTimeAsync(1000)
  return fetches.toSorted()
}

const stream = (): Stream => {
  const last = Stream.instances.at(-1)
  if (!last) throw new Error('No stream is open')
  return last
}

test('queries of the changed tables are fetched again, and the history too', async () => {
  expect(await fetchesAfter(() => stream().send(['crm_contacts']))).toEqual(['contacts', 'deals', 'history'])
  expect(await fetchesAfter(() => stream().send(['deals']))).toEqual(['deals', 'history'])
  expect(await fetchesAfter(() => stream().send(['profiles']))).toEqual(['history', 'you'])
})

test('after a change of this tab only queries that were not requested after its response are fetched again', async () => {
  const change = newId()
  const server = mockServer({ 'DELETE /api/contacts/{id}': changeResponse(change) })
  const write = async (): Promise<void> => {
    await call(contactRoutes.delete, { params: { id: newId() } })
    await refreshTables(['crm_contacts'])
    fetches = []
    stream().send(['crm_contacts', 'deals', 'tasks'], change)
  }
  expect(await fetchesAfter(() => void write())).toEqual(['tasks'])
  expect(server.requestsTo('DELETE /api/contacts/{id}')).toHaveLength(1)
  expect(await fetchesAfter(() => stream().send(['crm_contacts']))).toEqual(['contacts', 'deals', 'history'])
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
  const early = (): void => {
    void write()
    stream().send(['crm_contacts'], change)
  }
  expect(await fetchesAfter(early)).toEqual([])
  expect(await fetchesAfter(() => response.resolve())).toEqual([])
  expect(await fetchesAfter(() => stream().send(['crm_contacts']))).toEqual(['contacts', 'deals', 'history'])
})

test('one stream is opened at the address in the contract', async () => {
  await vi.advanceTimersByTimeAsync(1000)
  expect(Stream.instances.map(({ address }) => address)).toEqual(['/api/events'])
})

test('a burst of changes fetches once', async () => {
  const burst = (): void => {
    for (let change = 0; change < 50; change++) stream().send(['crm_contacts'])
  }
  expect(await fetchesAfter(burst)).toEqual(['contacts', 'deals', 'history'])
})

test('20 changes within a second fetch a list at most twice in that second, and once more for the last ones', async () => {
  await vi.advanceTimersByTimeAsync(1000)
  fetches = []
  for (let change = 0; change < 20; change++) {
    stream().send(['tasks'])
    await vi.advanceTimersByTimeAsync(50)
  }
  const fetchesOfTasks = () => fetches.filter((name) => name === 'tasks')
  expect(fetchesOfTasks()).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(5000)
  expect(fetchesOfTasks()).toHaveLength(3)
})

test('all queries are fetched again when the stream opens, at first and after a lost connection', async () => {
  const everything = ['contacts', 'deals', 'history', 'tasks', 'version', 'you']
  expect(await fetchesAfter(() => void stream().dispatchEvent(new Event('open')))).toEqual(everything)
  const breakAndReturn = (): void => {
    stream().dispatchEvent(new Event('error'))
    stream().dispatchEvent(new Event('open'))
  }
  expect(await fetchesAfter(breakAndReturn)).toEqual(everything)
})

test('a stream that the browser closed is opened again; a stream that was stopped is not', async () => {
  await vi.advanceTimersByTimeAsync(0)
  stream().close()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(Stream.instances).toHaveLength(2)
  stop()
  expect(stream().readyState).toBe(Stream.CLOSED)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(Stream.instances).toHaveLength(2)
})

test('without a session no stream is opened', async () => {
  await vi.advanceTimersByTimeAsync(0)
  stream().close()
  await signOut()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(Stream.instances).toHaveLength(1)
})
