// The requests that the benchmark sends to the product and to the bare server. An operation is one kind of request.
import type { OwnedContact } from './owners.ts'

export const operations = ['list', 'companies', 'deals', 'tasks', 'filtered', 'search', 'get', 'update', 'create'] as const
export type Operation = (typeof operations)[number]

/** For each operation, the requests per second that the product must reach, divided by those of the bare server: 0.7 means 70 %. */
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

/** Most contacts contain each of these texts. */
const commonTexts = ['example', 'an', '7946', 'er']

/**
 * For each operation, a function that creates a request for a contact or for its owner. `sequence` is the number of the request; it is
 * different for each request and makes the values of the request different.
 */
export const requestFor: Record<Operation, (contact: OwnedContact, sequence: number) => RequestSpec> = {
  list: () => ({ method: 'GET', path: '/api/contacts' }),
  companies: () => ({ method: 'GET', path: '/api/companies' }),
  deals: () => ({ method: 'GET', path: '/api/deals' }),
  tasks: () => ({ method: 'GET', path: '/api/tasks' }),
  filtered: (_contact, sequence) => ({ method: 'GET', path: createFilteredPath(sequence) }),
  search: (contact, sequence) => ({
    method: 'GET',
    path: `/api/contacts?search=${encodeURIComponent(createSearchText(contact, sequence))}`,
  }),
  get: ({ id }) => ({ method: 'GET', path: `/api/contacts/${id}` }),
  update: ({ id }, sequence) => ({ method: 'PATCH', path: `/api/contacts/${id}`, body: JSON.stringify(createEdit(sequence)) }),
  create: (_contact, sequence) => ({ method: 'POST', path: '/api/contacts', body: JSON.stringify(createContact(sequence)) }),
}

/** Alternates between contacts, deals and tasks. Each filter has two conditions and a range, and about one record in ten matches it. */
function createFilteredPath(sequence: number): string {
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

/** Alternates between a text in only one contact, a text in a few percent of the contacts, and a text in most contacts. */
function createSearchText({ email, phone, last_name, company }: OwnedContact, sequence: number): string {
  const round = Math.floor(sequence / 3)
  const isEvenRound = round % 2 === 0
  const emailName = email.slice(0, email.indexOf('@'))
  const phoneDigits = phone.replaceAll(/\D/g, '').slice(4) // without the country code and the area code
  const firstWordOfCompany = company.split(' ')[0] ?? ''
  if (sequence % 3 === 0) return isEvenRound || phone === '' ? emailName : phoneDigits
  if (sequence % 3 === 1) return isEvenRound || company === '' ? last_name : firstWordOfCompany
  return commonTexts[round % commonTexts.length] ?? ''
}

/** Returns an edit of one field. Every second edit changes a field that searches read, `phone` or `company`; the others do not. */
function createEdit(sequence: number): Record<string, string> {
  const edits: Record<string, string>[] = [
    { title: `Director ${sequence}` },
    { phone: createPhone(sequence) },
    { description: `Asked for sample ${sequence}` },
    { company: `Quillstone ${sequence}` },
  ]
  return edits[sequence % edits.length] ?? {}
}

function createContact(sequence: number): Record<string, string> {
  return {
    first_name: 'Ottoline',
    last_name: 'Strickmoor',
    email: `ottoline.strickmoor.${sequence}@tidewick.example`,
    phone: createPhone(sequence),
    company: 'Tidewick Bakery',
    title: 'Operations',
    mailing_city: 'Millgate',
    lead_source: 'Web',
    description: 'Met at the trade evening',
  }
}

const createPhone = (sequence: number): string => `+44 20 ${String(10_000_000 + (sequence % 89_000_000))}`
