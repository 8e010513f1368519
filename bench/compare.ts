import { deepStrictEqual } from 'node:assert/strict'
import { ask, operations, type Operation } from './operations.ts'
import type { Person } from './people.ts'

const writes: Operation[] = ['update', 'create']

/** Makes sure that both servers do the same work: reads answer the same, writes answer with the same fields. */
export async function compareAnswers(product: number, bare: number, people: Person[]): Promise<void> {
  for (const operation of operations) {
    for (const [number, person] of people.slice(0, 12).entries()) {
      const answers = [await send(product, operation, person, number), await send(bare, operation, person, number)]
      const [ours, theirs] = writes.includes(operation) ? answers.map((answer) => Object.keys(answer).toSorted()) : answers
      deepStrictEqual(theirs, ours, `The bare server answers ${operation} in another way`)
    }
  }
}

async function send(port: number, operation: Operation, { owner, token, ...person }: Person, number: number): Promise<object> {
  const { method, path, body } = ask[operation]({ owner, token, ...person }, number)
  const headers = { owner, authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) }
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...(body !== undefined && { body }) })
  if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}`)
  return await answer.json()
}
