// The load generator of the benchmark: a separate process that sends requests to the product or to the bare server. The first line of its
// input contains the contacts that the requests use; each further line describes a round, which sends requests of one kind for a short
// time. After each round the process prints one line with the outcome.
import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'
import { requestFor, type Operation } from './operations.ts'
import type { OwnedContact } from './owners.ts'

/**
 * What a round does: it sends requests for `milliseconds`, numbered from `firstSequenceNumber`. No other round may use the same numbers.
 */
export type RoundSpec = { port: number; operation: Operation; milliseconds: number; firstSequenceNumber: number }
/** The outcome of a round: the latency of each response, and the duration of the whole round. */
export type Outcome = { latenciesMs: number[]; elapsedMs: number }

const connections = 16
const agent = new Agent({ keepAlive: true, maxSockets: connections })
let contactsOfOwners: OwnedContact[] | undefined

for await (const line of createInterface({ input: process.stdin })) {
  if (contactsOfOwners) console.log(JSON.stringify(await runRound(JSON.parse(line), contactsOfOwners)))
  else contactsOfOwners = JSON.parse(line)
}

/** Runs a round. Each connection sends its next request as soon as its response has arrived, until the time is over. */
async function runRound({ port, operation, milliseconds, firstSequenceNumber }: RoundSpec, contacts: OwnedContact[]): Promise<Outcome> {
  const latenciesMs: number[] = []
  const started = performance.now()
  let sequence = firstSequenceNumber
  const sendRequests = async (): Promise<void> => {
    while (performance.now() - started < milliseconds) {
      const sent = performance.now()
      const contact = contacts[(sequence * 7919) % contacts.length] // the prime makes successive requests use contacts of different owners
      if (contact) await send(port, contact, operation, sequence++)
      latenciesMs.push(performance.now() - sent)
    }
  }
  await Promise.all(Array.from({ length: connections }, sendRequests))
  return { latenciesMs, elapsedMs: performance.now() - started }
}

/** Sends the same headers to both servers: the product checks the token, the bare server reads the owner from a header. */
function send(port: number, contact: OwnedContact, operation: Operation, sequence: number): Promise<void> {
  const { method, path, body } = requestFor[operation](contact, sequence)
  const headers = {
    authorization: `Bearer ${contact.token}`,
    owner: contact.userId,
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  }
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent }, (response) => {
      const { statusCode = 0 } = response
      if (statusCode >= 300) reject(new Error(`${method} ${path} returned ${statusCode}`))
      response.resume().once('end', resolve).once('error', reject)
    })
    outgoing.once('error', reject).end(body)
  })
}
