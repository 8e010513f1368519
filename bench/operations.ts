import type { OwnedContact } from './owners.ts'

export const operations = ['list', 'companies', 'deals', 'tasks', 'filtered', 'search', 'get', 'update', 'create'] as const
export type Operation = (typeof operations)[number]

/** Goals for the product's requests per second, as a fraction of the bare server's. */
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

/** The maximum CPU time per request in ms, of Node and PostgreSQL together. */
export const cpuGoalsMs: Partial<Record<Operation, number>> = { update: 1.35, create: 1.9 }

export type RequestSpec = { method: string; path: string; body?: string }

/** Parts of words that most contacts contain. */
const commonTexts = ['example', 'an', '7946', 'er']

/** The request of each operation, for this contact or its owner. `sequence` is unique per request, so that values differ. */
export const requestFor: Record<Operation, (contact: OwnedContact, sequence: number) => RequestSpec> = {
  list: () => ({ method: 'GET', path: '/api/contacts' }),
  companies: () => ({ method: 'GET', path: '/api/companies' }),
  deals: () => ({ method: 'GET', path: '/api/deals' }),
  tasks: () => ({ method: 'GET', path: '/api/tasks' }),
  filtered: (_contact, sequence) => ({ method: 'GET', path: filteredList(sequence) }),
  search: (contact, sequence) => ({ method: 'GET', path: `/api/contacts?search=${encodeURIComponent(searchText(contact, sequence))}` }),
  get: ({ id }) => ({ method: 'GET', path: `/api/contacts/${id}` }),
  update: ({ id }, sequence) => ({ method: 'PATCH', path: `/api/contacts/${id}`, body: JSON.stringify(changedField(sequence)) }),
  create: (_contact, sequence) => ({ method: 'POST', path: '/api/contacts', body: JSON.stringify(newContact(sequence)) }),
}

/** Alternates between contacts, deals and tasks, with two conditions and a range that about one record in ten matches. */
function filteredList(sequence: number): string {
  const round = Math.floor(sequence / 3)
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
  const [path = '', filter] = lists[sequence % lists.length] ?? []
  return `${path}?filter=${encodeURIComponent(JSON.stringify(filter))}`
}

/** Alternates between searches that match one contact, a few percent and most contacts. Half of the last ones have two letters. */
function searchText({ email, phone, last_name, company }: OwnedContact, sequence: number): string {
  const round = Math.floor(sequence / 3)
  if (sequence % 3 === 0) return round % 2 === 0 || phone === '' ? email.slice(0, email.indexOf('@')) : phone.replaceAll(/\D/g, '').slice(4)
  if (sequence % 3 === 1) return round % 2 === 0 || company === '' ? last_name : (company.split(' ')[0] ?? '')
  return commonTexts[round % commonTexts.length] ?? ''
}

/** Changes one field per request, alternating between fields that are not searched and fields that are. */
function changedField(sequence: number): Record<string, string> {
  const edits: Record<string, string>[] = [
    { title: `Director ${sequence}` },
    { phone: phoneNumber(sequence) },
    { description: `Asked for sample ${sequence}` },
    { company: `Quillstone ${sequence}` },
  ]
  return edits[sequence % edits.length] ?? {}
}

function newContact(sequence: number): Record<string, string> {
  return {
    first_name: 'Ottoline',
    last_name: 'Strickmoor',
    email: `ottoline.strickmoor.${sequence}@tidewick.example`,
    phone: phoneNumber(sequence),
    company: 'Tidewick Bakery',
    title: 'Operations',
    mailing_city: 'Millgate',
    lead_source: 'Web',
    description: 'Met at the trade evening',
  }
}

const phoneNumber = (sequence: number): string => `+44 20 ${String(10_000_000 + (sequence % 89_000_000))}`
