// The load, in a process of its own: one line in is an order, one line out is what came of it. The first line holds the people.
import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'
import { ask, type Operation } from './operations.ts'
import type { Person } from './people.ts'

/** Numbers from `first` on are not used before. */
export type Order = { port: number; operation: Operation; milliseconds: number; first: number }
/** How long each answer took, in milliseconds, and how long all of it took. */
export type Outcome = { latenciesMs: number[]; elapsedMs: number }

const connections = 16
const agent = new Agent({ keepAlive: true, maxSockets: connections })
let people: Person[] | undefined

for await (const line of createInterface({ input: process.stdin })) {
  if (people) console.log(JSON.stringify(await run(JSON.parse(line), people)))
  else people = JSON.parse(line)
}

/** Every connection asks again as soon as it has its answer, until the time is over. */
async function run({ port, operation, milliseconds, first }: Order, known: Person[]): Promise<Outcome> {
  const latenciesMs: number[] = []
  const started = performance.now()
  let number = first
  const connection = async (): Promise<void> => {
    while (performance.now() - started < milliseconds) {
      const asked = performance.now()
      const person = known[(number * 7919) % known.length]
      if (person) await send(port, person, operation, number++)
      latenciesMs.push(performance.now() - asked)
    }
  }
  await Promise.all(Array.from({ length: connections }, connection))
  return { latenciesMs, elapsedMs: performance.now() - started }
}

/** Both servers get the same headers: the product asks for the token, the bare server believes in the owner. */
function send(port: number, person: Person, operation: Operation, number: number): Promise<void> {
  const { method, path, body } = ask[operation](person, number)
  const headers = {
    authorization: `Bearer ${person.token}`,
    owner: person.owner,
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  }
  return new Promise((done, fail) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
      const { statusCode = 0 } = answer
      if (statusCode >= 300) fail(new Error(`${method} ${path} was answered with ${statusCode}`))
      answer.resume().once('end', done).once('error', fail)
    })
    sent.once('error', fail).end(body)
  })
}
