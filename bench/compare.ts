import { deepStrictEqual } from 'node:assert/strict'
import { requestFor, operations, type Operation } from './operations.ts'
import type { OwnedContact } from './owners.ts'

const writes: Operation[] = ['update', 'create']

/** Throws unless both servers send equal responses to reads, and responses with equal fields to writes. */
export async function compareResponses(product: number, bare: number, contactsOfOwners: OwnedContact[]): Promise<void> {
  for (const operation of operations) {
    for (const [number, contact] of contactsOfOwners.slice(0, 12).entries()) {
      const bodies = [await send(product, operation, contact, number), await send(bare, operation, contact, number)]
      const [ours, theirs] = writes.includes(operation) ? bodies.map((body) => Object.keys(body).toSorted()) : bodies
      deepStrictEqual(theirs, ours, `The bare server responds differently to ${operation}`)
    }
  }
}

async function send(port: number, operation: Operation, { owner, token, ...contact }: OwnedContact, number: number): Promise<object> {
  const { method, path, body } = requestFor[operation]({ owner, token, ...contact }, number)
  const headers = { owner, authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...(body !== undefined && { body }) })
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}`)
  return await response.json()
}
