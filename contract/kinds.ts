/** Every kind of record that people keep: how one and many of them are called, and where they are kept. In the order of equally good finds. */
export const recordKinds = {
  contact: { one: 'contact', many: 'contacts', table: 'crm_contacts' },
  company: { one: 'company', many: 'companies', table: 'companies' },
  deal: { one: 'deal', many: 'deals', table: 'deals' },
  task: { one: 'task', many: 'tasks', table: 'tasks' },
  note: { one: 'note', many: 'notes', table: 'notes' },
} as const

export type KindName = keyof typeof recordKinds
/** The words of a kind. */
export type KindWords = (typeof recordKinds)[KindName]

const isKindName = (name: string): name is KindName => Object.hasOwn(recordKinds, name)
export const kindNames: readonly KindName[] = Object.keys(recordKinds).filter(isKindName)
