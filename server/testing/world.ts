import { exampleIds, type Route } from '#contract/route.ts'
import type { Person } from './cast.ts'

/** Real ids of one person's workspace, under the names that examples use. */
export type World = Record<keyof typeof exampleIds, string>

/** Two contacts, a third in the trash, one record of every other kind, a change that can be undone, a second session: what every example stands on. */
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
  const make = async (url: string, payload: object): Promise<string> => (await ask({ method: 'POST', url, payload })).json().id
  const company = await make('/api/companies', { name: 'Analytical Engines', industry: 'Machines', employees_count: 3 })
  const deal = await make('/api/deals', { title: 'First engine', value: 3200, contact_id: contact.id, company_id: company })
  const task = await make('/api/tasks', { title: 'Draw the mill', contact_id: contact.id, deal_id: deal })
  const note = await make('/api/notes', { contact_id: contact.id, content: 'Prefers letters.' })
  const view = await make('/api/views', { list: 'deals', name: 'Open deals', address: 'sort=value' })
  const edit = await ask({ method: 'PATCH', url: `/api/contacts/${contact.id}`, payload: { department: 'Engines' } })
  return {
    contact: contact.id,
    colleague: colleague.id,
    company,
    deal,
    task,
    note,
    view,
    deleted: deleted.id,
    change: String(edit.headers['foyer-change']),
    session: person.session,
  }
}

/** A request as the contract's example says, with the ids of this world and the address of whoever owns it. */
export function exampleRequest({ method, path, example }: Route, world: World, email: string) {
  const { params = {}, query, body } = replaceIds(example, world, email)
  const url = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => params[name] ?? '')
  return {
    method,
    url: query ? `${url}?${new URLSearchParams(query).toString()}` : url,
    ...(body !== undefined && { payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  }
}

/** Does the example name a record? */
export const namesRecord = ({ example }: Route): boolean => Object.values(exampleIds).some((id) => JSON.stringify(example).includes(id))

function replaceIds(example: Route['example'], world: World, email: string): Route['example'] {
  const real: Record<string, string> = world
  let text = JSON.stringify(example).replaceAll('ada@example.org', email)
  for (const [name, id] of Object.entries(exampleIds)) text = text.replaceAll(id, real[name] ?? id)
  return JSON.parse(text)
}
