import type { ImportKind } from '#contract/imports.ts'

type Nouns = { singular: string; plural: string; listAddress: string; listLabel: string }

/** How the screens of the import name the records of a kind, and where their list is. */
export const importNouns: Record<ImportKind, Nouns> = {
  contact: { singular: 'contact', plural: 'contacts', listAddress: '/crm/contacts', listLabel: 'Contacts' },
  company: { singular: 'company', plural: 'companies', listAddress: '/crm/companies', listLabel: 'Companies' },
  deal: { singular: 'deal', plural: 'deals', listAddress: '/crm/deals', listLabel: 'Deals' },
  task: { singular: 'task', plural: 'tasks', listAddress: '/crm/tasks', listLabel: 'Tasks' },
}
