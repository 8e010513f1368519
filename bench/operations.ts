import type { Person } from './people.ts'

export const operations = ['list', 'companies', 'deals', 'tasks', 'filtered', 'search', 'get', 'update', 'create'] as const
export type Operation = (typeof operations)[number]

/** Which part of the bare server's requests per second the product should reach. */
export const goals: Record<Operation, number> = {
  list: 0.4,
  companies: 0.4,
  deals: 0.4,
  tasks: 0.4,
  filtered: 0.4,
  search: 0.6,
  get: 0.3,
  update: 0.3,
  create: 0.3,
}

export type Asked = { method: string; path: string; body?: string }

/** Words that hardly narrow anything down. */
const commonWords = ['example', 'an', '7946', 'er']

/** The next request of an operation about this person, or as their owner. `number` is never the same twice. */
export const ask: Record<Operation, (person: Person, number: number) => Asked> = {
  list: () => ({ method: 'GET', path: '/api/contacts' }),
  companies: () => ({ method: 'GET', path: '/api/companies' }),
  deals: () => ({ method: 'GET', path: '/api/deals' }),
  tasks: () => ({ method: 'GET', path: '/api/tasks' }),
  filtered: (_person, number) => ({ method: 'GET', path: filteredList(number) }),
  search: (person, number) => ({ method: 'GET', path: `/api/contacts?search=${encodeURIComponent(word(person, number))}` }),
  get: ({ id }) => ({ method: 'GET', path: `/api/contacts/${id}` }),
  update: ({ id }, number) => ({ method: 'PATCH', path: `/api/contacts/${id}`, body: JSON.stringify(edit(number)) }),
  create: (_person, number) => ({ method: 'POST', path: '/api/contacts', body: JSON.stringify(newcomer(number)) }),
}

/** Two conditions and a range, in turn on contacts, deals and tasks; about one record in ten is found. */
function filteredList(number: number): string {
  const turn = Math.floor(number / 3)
  const filters = {
    '/api/contacts': [
      { field: 'lead_source', is: [turn % 2 === 0 ? 'Web' : 'Other'] },
      { field: 'mailing_city', has: turn % 3 === 0 ? 'mill' : 'wick' },
      { field: 'created_at', from: '2020-01-01', to: '2099-01-01' },
    ],
    '/api/deals': [
      { field: 'stage', is: turn % 2 === 0 ? ['lead', 'proposal'] : ['qualified', 'negotiation'] },
      { field: 'title', has: turn % 3 === 0 ? 'oak' : 'des' },
      { field: 'value', from: 1000 + (turn % 1000), to: 30_000 },
    ],
    '/api/tasks': [
      { field: 'status', is: ['pending', 'in-progress'] },
      { field: 'priority', is: [turn % 2 === 0 ? 'high' : 'low'] },
      { field: 'due_date', from: '2020-01-01', to: '2099-01-01' },
    ],
  }
  const lists = Object.entries(filters)
  const [path = '', filter] = lists[number % lists.length] ?? []
  return `${path}?filter=${encodeURIComponent(JSON.stringify(filter))}`
}

/** In turn a word that finds one contact, one that finds a few in a hundred, and one that finds most; half of these have two letters. */
function word({ email, phone, last_name, company }: Person, number: number): string {
  const turn = Math.floor(number / 3)
  if (number % 3 === 0) return turn % 2 === 0 || phone === '' ? email.slice(0, email.indexOf('@')) : phone.replaceAll(/\D/g, '').slice(4)
  if (number % 3 === 1) return turn % 2 === 0 || company === '' ? last_name : (company.split(' ')[0] ?? '')
  return commonWords[turn % commonWords.length] ?? ''
}

/** One field at a time, in turn one that searches do not see and one that they do. */
function edit(number: number): Record<string, string> {
  const edits: Record<string, string>[] = [
    { title: `Director ${number}` },
    { phone: phoneNumber(number) },
    { description: `Asked for sample ${number}` },
    { company: `Quillstone ${number}` },
  ]
  return edits[number % edits.length] ?? {}
}

function newcomer(number: number): Record<string, string> {
  return {
    first_name: 'Ottoline',
    last_name: 'Strickmoor',
    email: `ottoline.strickmoor.${number}@tidewick.example`,
    phone: phoneNumber(number),
    company: 'Tidewick Bakery',
    title: 'Operations',
    mailing_city: 'Millgate',
    lead_source: 'Web',
    description: 'Met at the trade evening',
  }
}

const phoneNumber = (number: number): string => `+44 20 ${String(10_000_000 + (number % 89_000_000))}`
