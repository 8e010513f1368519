// Sends the requests, in a process of its own. The first line of input holds the contacts; each further line is an order for a round,
// and is answered by one line with its outcome.
import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'
import { requestFor, type Operation } from './operations.ts'
import type { OwnedContact } from './owners.ts'

/** Numbers from `first` on were not used before. */
export type RoundOrder = { port: number; operation: Operation; milliseconds: number; first: number }
/** The time of each response, and of the whole round. */
export type Outcome = { latenciesMs: number[]; elapsedMs: number }

const connections = 16
const agent = new Agent({ keepAlive: true, maxSockets: connections })
let contactsOfOwners: OwnedContact[] | undefined

for await (const line of createInterface({ input: process.stdin })) {
  if (contactsOfOwners) console.log(JSON.stringify(await run(JSON.parse(line), contactsOfOwners)))
  else contactsOfOwners = JSON.parse(line)
}

/** Every connection sends its next request as soon as it has a response, until the time is over. */
async function run({ port, operation, milliseconds, first }: RoundOrder, known: OwnedContact[]): Promise<Outcome> {
  const latenciesMs: number[] = []
  const started = performance.now()
  let number = first
  const connection = async (): Promise<void> => {
    while (performance.now() - started < milliseconds) {
      const sent = performance.now()
      const contact = known[(number * 7919) % known.length]
      if (contact) await send(port, contact, operation, number++)
      latenciesMs.push(performance.now() - sent)
    }
  }
  await Promise.all(Array.from({ length: connections }, connection))
  return { latenciesMs, elapsedMs: performance.now() - started }
}

/** Both servers get the same headers: the product checks the token, the bare server trusts the owner. */
function send(port: number, contact: OwnedContact, operation: Operation, number: number): Promise<void> {
  const { method, path, body } = requestFor[operation](contact, number)
  const headers = {
    authorization: `Bearer ${contact.token}`,
    owner: contact.owner,
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  }
  return new Promise((done, fail) => {
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent }, (response) => {
      const { statusCode = 0 } = response
      if (statusCode >= 300) fail(new Error(`${method} ${path} was answered with ${statusCode}`))
      response.resume().once('end', done).once('error', fail)
    })
    outgoing.once('error', fail).end(body)
  })
}
