/**
 * Every record kind: its names, its table, and the column of the title. The key of a kind is its name in the singular. Hits of a search with
 * equal rank are sorted in this order.
 */
export const recordKinds = {
  contact: { singular: 'contact', plural: 'contacts', table: 'crm_contacts', titleColumn: 'name' },
  company: { singular: 'company', plural: 'companies', table: 'companies', titleColumn: 'name' },
  deal: { singular: 'deal', plural: 'deals', table: 'deals', titleColumn: 'title' },
  task: { singular: 'task', plural: 'tasks', table: 'tasks', titleColumn: 'title' },
  note: { singular: 'note', plural: 'notes', table: 'notes', titleColumn: 'content' },
  folder: { singular: 'folder', plural: 'folders', table: 'folders', titleColumn: 'name' },
  file: { singular: 'file', plural: 'files', table: 'files', titleColumn: 'file_name' },
  booking: { singular: 'booking', plural: 'bookings', table: 'bookings', titleColumn: 'title' },
  'booking link': { singular: 'booking link', plural: 'booking links', table: 'booking_links', titleColumn: 'title' },
  'lead form': { singular: 'lead form', plural: 'lead forms', table: 'lead_forms', titleColumn: 'title' },
  submission: { singular: 'submission', plural: 'submissions', table: 'form_submissions', titleColumn: 'name' },
  conversation: { singular: 'conversation', plural: 'conversations', table: 'conversations', titleColumn: 'title' },
} as const

export type KindName = keyof typeof recordKinds
/** The names, table and title column of a kind. */
export type KindDefinition = (typeof recordKinds)[KindName]

export const isKindName = (name: string): name is KindName => Object.hasOwn(recordKinds, name)
export const kindNames: readonly KindName[] = Object.keys(recordKinds).filter(isKindName)

/** Returns the path of the routes of a kind, such as `/api/booking-links` for "booking links". */
export const apiPathOf = (plural: string) => `/api/${plural.replaceAll(' ', '-')}` as const
