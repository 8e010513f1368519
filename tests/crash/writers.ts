// Users who add and edit contacts while a test kills the server or fills the disk. They know which writes must be stored afterwards.
import * as z from 'zod/mini'
import type { Random } from '#server/testing/random.ts'

/** A write with its Idempotency-Key. */
type Write = { person: Person; method: 'POST' | 'PATCH'; path: string; key: string; body: Record<string, string> }

type Person = { token: string }

const Saved = z.object({ id: z.uuid(), version: z.int() })
/** The columns of a contact that are compared; `version` counts its writes. */
const Row = z.object({
  id: z.uuid(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  title: z.string(),
  version: z.int(),
})
type Row = z.infer<typeof Row>
const Page = z.object({ rows: z.array(Row), next: z.nullable(z.string()) })

/** Users who add and edit contacts over HTTP without pauses. Every response is recorded. */
export type Writers = {
  /**
   * Sends writes of all users, and calls `isEnough` after every response. Stops when `isEnough` returns true, when a write gets no
   * response, or when a write is refused because the server is not ready or its disk is full.
   */
  sendWrites: (isEnough: () => boolean) => Promise<void>
  /**
   * Repeats every write that got no response or was refused, with the same Idempotency-Key, until it is saved. Returns the number of these
   * writes.
   */
  repeatUnsaved: () => Promise<number>
  /** Returns the contacts that must be stored: the results of all saved writes. */
  getExpected: () => Row[]
  /** Reads the contacts that are stored in the server at `url`, or in the one at `address`. */
  readStored: (address?: string) => Promise<Row[]>
}

/** Signs up two users. Each of them sends three writes at a time. */
export async function signUpWriters(url: string, random: Random): Promise<Writers> {
  const people = await Promise.all(['ada', 'grace'].map((name) => signUp(url, name)))
  const rows = new Map<string, Row>()
  const unsaved: Write[] = []
  let writeCount = 0

  /** Returns a random write: a new contact, or an edit of one of the contacts with `ownIds`. */
  function nextWrite(person: Person, ownIds: string[]): Write {
    const key = `write-${writeCount++}`
    if (ownIds.length === 0 || random.hasChance(0.5)) {
      const body = { first_name: 'Written', last_name: key, email: `${key}@example.org`, title: '' }
      return { person, method: 'POST', path: '/api/contacts', key, body }
    }
    return { person, method: 'PATCH', path: `/api/contacts/${random.pick(ownIds)}`, key, body: { title: key } }
  }

  function recordResponse({ method, body, key }: Write, { id, version }: z.infer<typeof Saved>): void {
    const before = rows.get(id) ?? { id, first_name: '', last_name: '', email: '', title: '', version: 0 }
    // each write must raise the version by exactly one
    if (version !== before.version + 1) throw new Error(`${method} ${key}: version ${version} after ${before.version}`)
    rows.set(id, { ...before, ...body, version })
  }

  return {
    sendWrites: async (isEnough) => {
      let isStopped = false
      const sendWritesOf = async (person: Person): Promise<void> => {
        const ownIds: string[] = []
        while (!isStopped) {
          const next = nextWrite(person, ownIds)
          const saved = await send(url, next)
          if (!saved) {
            isStopped = true
            unsaved.push(next)
            return
          }
          recordResponse(next, saved)
          if (next.method === 'POST') ownIds.push(saved.id)
          isStopped ||= isEnough()
        }
      }
      try {
        await Promise.all([...people, ...people, ...people].map(sendWritesOf)) // three writes of each user at a time
      } finally {
        isStopped = true
      }
    },
    repeatUnsaved: async () => {
      const repeats = unsaved.splice(0)
      await Promise.all(repeats.map(async (write) => recordResponse(write, await sendUntilSaved(url, write))))
      return repeats.length
    },
    getExpected: () => sortById([...rows.values()]),
    readStored: async (address = url) => sortById((await Promise.all(people.map((person) => listAll(address, person)))).flat()),
  }
}

const sortById = (rows: Row[]): Row[] => rows.toSorted((a, b) => a.id.localeCompare(b.id))

/**
 * Sends a write. Returns undefined if there is no response, or if the status is 503 (not ready) or 507 (disk full). Throws for other
 * errors, because a crash or a full disk must not cause them.
 */
async function send(url: string, { person, method, path, key, body }: Write): Promise<z.infer<typeof Saved> | undefined> {
  const headers = { authorization: `Bearer ${person.token}`, 'content-type': 'application/json', 'idempotency-key': key }
  const response = await request(`${url}${path}`, { method, headers, body: JSON.stringify(body) })
  if (!response || [503, 507].includes(response.status)) return undefined
  if (response.status > 201) throw new Error(`${method} ${key} returned status ${response.status}: ${response.text}`)
  return Saved.parse(JSON.parse(response.text))
}

/** Sends a write until it is saved. Throws after 30 seconds. */
async function sendUntilSaved(url: string, write: Write): Promise<z.infer<typeof Saved>> {
  const startMs = Date.now()
  while (Date.now() - startMs < 30_000) {
    const saved = await send(url, write)
    if (saved) return saved
  }
  throw new Error(`${write.key} was not saved within 30 seconds`)
}

/** Sends a request. Returns undefined if the connection fails before the response is complete. */
export async function request(address: string, options: RequestInit): Promise<{ status: number; text: string } | undefined> {
  try {
    const response = await fetch(address, { ...options, signal: AbortSignal.timeout(20_000) })
    return { status: response.status, text: await response.text() }
  } catch {
    return undefined
  }
}

/** Signs up and returns the token of a session. */
export async function signUp(url: string, name: string): Promise<Person> {
  const credentials = { email: `${name}@example.org`, password: 'engine no. 1' }
  const post = async (path: string, body: object): Promise<unknown> => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return response.json()
  }
  await post('/api/users', { ...credentials, full_name: name })
  return z.object({ token: z.string() }).parse(await post('/api/session', credentials))
}

async function listAll(url: string, { token }: Person): Promise<Row[]> {
  const rows: Row[] = []
  for (let after: string | null = ''; after !== null;) {
    const query: string = new URLSearchParams({ limit: '200', ...(after && { after }) }).toString()
    const response = await fetch(`${url}/api/contacts?${query}`, { headers: { authorization: `Bearer ${token}` } })
    const page = Page.parse(await response.json())
    rows.push(...page.rows)
    after = page.next
  }
  return rows
}
