import * as z from 'zod/mini'
import { exampleId, exampleNames } from '#contract/examples.ts'
import { recordKinds } from '#contract/kinds.ts'
import type { Route } from '#contract/route.ts'
import type { Person } from './cast.ts'
import { allRoutes } from '#contract/routes.ts'

/** Real ids of one person's workspace, under the names that examples use. */
export type World = z.infer<typeof World>
const World = z.record(z.enum(exampleNames), z.uuid())

/** Two contacts, a third in the trash, one record of every other kind as its example says, a change that can be undone, a second session: what every example stands on. */
export async function furnish(person: Person): Promise<World> {
  const ask = async (request: Parameters<Person['ask']>[0]) => {
    const answer = await person.ask(request)
    if (answer.statusCode >= 300) throw new Error(`The world could not be furnished: ${answer.body}`)
    return answer
  }
  const add = async (first_name: string, email: string) => {
    const answer = await ask({ method: 'POST', url: '/api/contacts', payload: { first_name, last_name: 'Example', email } })
    const { id }: { id: string } = answer.json()
    return { id, change: String(answer.headers['foyer-change']) }
  }
  const contact = await add('Ada', 'ada@example.org')
  const colleague = await add('Charles', 'charles@example.org')
  const deleted = await add('Luigi', 'luigi@example.org')
  await ask({ method: 'DELETE', url: `/api/contacts/${deleted.id}` })
  const world: Partial<World> = { contact: contact.id, colleague: colleague.id, deleted: deleted.id, session: person.session }
  for (const { singular, plural } of Object.values(recordKinds)) {
    const create = allRoutes.find(({ method, path }) => method === 'POST' && path === `/api/${plural}`)
    if (create && singular !== 'contact') world[singular] = (await ask(exampleRequest(create, world, person.email))).json().id
  }
  const view = await ask({ method: 'POST', url: '/api/views', payload: { list: 'deals', name: 'Open deals', address: 'sort=value' } })
  const edit = await ask({ method: 'PATCH', url: `/api/contacts/${contact.id}`, payload: { department: 'Engines' } })
  return World.parse({ ...world, view: view.json().id, change: edit.headers['foyer-change'] })
}

/** A request as the contract's example says, with the ids of this world and the address of whoever owns it. */
export function exampleRequest({ method, path, example }: Route, world: Partial<World>, email: string) {
  const { params = {}, query, body } = replaceIds(example, world, email)
  const url = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => params[name] ?? '')
  return {
    method,
    url: query ? `${url}?${new URLSearchParams(query).toString()}` : url,
    ...(body !== undefined && { payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  }
}

/** Does the example name a record? */
export const namesRecord = ({ example }: Route): boolean => exampleNames.some((name) => JSON.stringify(example).includes(exampleId(name)))

function replaceIds(example: Route['example'], world: Partial<World>, email: string): Route['example'] {
  let text = JSON.stringify(example).replaceAll('ada@example.org', email)
  for (const name of exampleNames) text = text.replaceAll(exampleId(name), world[name] ?? exampleId(name))
  return JSON.parse(text)
}
