// Checks that the product and the bare server send the same responses, because only then can their speeds be compared.
import { deepStrictEqual } from 'node:assert/strict'
import { requestFor, operations, type Operation } from './operations.ts'
import type { OwnedContact } from './owners.ts'

const writingOperations: Operation[] = ['update', 'create']

/** Throws unless both servers send equal responses to reads, and responses with the same field names to writes. */
export async function compareResponses(productPort: number, barePort: number, contactsOfOwners: OwnedContact[]): Promise<void> {
  for (const operation of operations) {
    const isWrite = writingOperations.includes(operation)
    // the request of an operation depends on the sequence number, so each operation is sent with twelve numbers
    for (const [sequence, contact] of contactsOfOwners.slice(0, 12).entries()) {
      const expected = await send(productPort, operation, contact, sequence)
      const actual = await send(barePort, operation, contact, sequence)
      const message = `The bare server responds differently to ${operation}`
      if (isWrite) deepStrictEqual(Object.keys(actual).toSorted(), Object.keys(expected).toSorted(), message)
      else deepStrictEqual(actual, expected, message)
    }
  }
}

async function send(port: number, operation: Operation, contact: OwnedContact, sequence: number): Promise<object> {
  const { method, path, body } = requestFor[operation](contact, sequence)
  const headers = {
    owner: contact.userId,
    authorization: `Bearer ${contact.token}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...(body !== undefined && { body }) })
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}`)
  return await response.json()
}
