import type { OwnedContact } from './owners.ts'

export const operations = ['list', 'companies', 'deals', 'tasks', 'filtered', 'search', 'get', 'update', 'create'] as const
export type Operation = (typeof operations)[number]

/** The ratio of requests per second to the bare server's that the product should reach. */
export const goals: Record<Operation, number> = {
  list: 0.7,
  companies: 0.4,
  deals: 0.4,
  tasks: 0.4,
  filtered: 0.4,
  search: 0.7,
  get: 0.55,
  update: 0.42,
  create: 0.45,
}

/** The most CPU time of one request, in ms, of Node and PostgreSQL together. */
export const cpuGoalsMs: Partial<Record<Operation, number>> = { update: 1.35, create: 1.9 }

export type RequestSpec = { method: string; path: string; body?: string }

/** Texts that most contacts contain. */
const commonTexts = ['example', 'an', '7946', 'er']

/** A request of an operation about this contact, or with its owner's token. Each number is used once. */
export const requestFor: Record<Operation, (contact: OwnedContact, number: number) => RequestSpec> = {
  list: () => ({ method: 'GET', path: '/api/contacts' }),
  companies: () => ({ method: 'GET', path: '/api/companies' }),
  deals: () => ({ method: 'GET', path: '/api/deals' }),
  tasks: () => ({ method: 'GET', path: '/api/tasks' }),
  filtered: (_contact, number) => ({ method: 'GET', path: filteredList(number) }),
  search: (contact, number) => ({ method: 'GET', path: `/api/contacts?search=${encodeURIComponent(searchText(contact, number))}` }),
  get: ({ id }) => ({ method: 'GET', path: `/api/contacts/${id}` }),
  update: ({ id }, number) => ({ method: 'PATCH', path: `/api/contacts/${id}`, body: JSON.stringify(changedField(number)) }),
  create: (_contact, number) => ({ method: 'POST', path: '/api/contacts', body: JSON.stringify(newContact(number)) }),
}

/** Two conditions and a range, alternating between contacts, deals and tasks; about one record in ten matches. */
function filteredList(number: number): string {
  const round = Math.floor(number / 3)
  const filters = {
    '/api/contacts': [
      { field: 'lead_source', is: [round % 2 === 0 ? 'Web' : 'Other'] },
      { field: 'mailing_city', has: round % 3 === 0 ? 'mill' : 'wick' },
      { field: 'created_at', from: '2020-01-01', to: '2099-01-01' },
    ],
    '/api/deals': [
      { field: 'stage', is: round % 2 === 0 ? ['lead', 'proposal'] : ['qualified', 'negotiation'] },
      { field: 'title', has: round % 3 === 0 ? 'oak' : 'des' },
      { field: 'value', from: 1000 + (round % 1000), to: 30_000 },
    ],
    '/api/tasks': [
      { field: 'status', is: ['pending', 'in-progress'] },
      { field: 'priority', is: [round % 2 === 0 ? 'high' : 'low'] },
      { field: 'due_date', from: '2020-01-01', to: '2099-01-01' },
    ],
  }
  const lists = Object.entries(filters)
  const [path = '', filter] = lists[number % lists.length] ?? []
  return `${path}?filter=${encodeURIComponent(JSON.stringify(filter))}`
}

/** Alternates between texts that match one contact, a few in a hundred, and most; half of the latter have two letters. */
function searchText({ email, phone, last_name, company }: OwnedContact, number: number): string {
  const round = Math.floor(number / 3)
  if (number % 3 === 0) return round % 2 === 0 || phone === '' ? email.slice(0, email.indexOf('@')) : phone.replaceAll(/\D/g, '').slice(4)
  if (number % 3 === 1) return round % 2 === 0 || company === '' ? last_name : (company.split(' ')[0] ?? '')
  return commonTexts[round % commonTexts.length] ?? ''
}

/** One field per request, alternating between fields that are not searched and fields that are. */
function changedField(number: number): Record<string, string> {
  const edits: Record<string, string>[] = [
    { title: `Director ${number}` },
    { phone: phoneNumber(number) },
    { description: `Asked for sample ${number}` },
    { company: `Quillstone ${number}` },
  ]
  return edits[number % edits.length] ?? {}
}

function newContact(number: number): Record<string, string> {
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
