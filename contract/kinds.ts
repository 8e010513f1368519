/** Every kind of record that people keep: how one and many of them are called, and where they are kept. In the order of equally good finds. */
export const recordKinds = {
  contact: { singular: 'contact', plural: 'contacts', table: 'crm_contacts' },
  company: { singular: 'company', plural: 'companies', table: 'companies' },
  deal: { singular: 'deal', plural: 'deals', table: 'deals' },
  task: { singular: 'task', plural: 'tasks', table: 'tasks' },
  note: { singular: 'note', plural: 'notes', table: 'notes' },
} as const

export type KindName = keyof typeof recordKinds
/** The words of a kind. */
export type KindNames = (typeof recordKinds)[KindName]

const isKindName = (name: string): name is KindName => Object.hasOwn(recordKinds, name)
export const kindNames: readonly KindName[] = Object.keys(recordKinds).filter(isKindName)
