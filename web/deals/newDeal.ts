import type { Stage } from '#contract/stages.ts'
import { linkFields, parseLinks, parseText } from '#web/records/address/newRecord.ts'
import { isStage } from './kind/stages.ts'

type Prefilled = { contact?: string | undefined; company?: string | undefined; title?: string | undefined; stage?: Stage | undefined }

/** Reads the search parameters of the form: the title, the stage and the linked records. */
export function parseNewDeal(search: Record<string, unknown>): Prefilled {
  const { title, stage } = search
  return { ...parseLinks(search, ['contact', 'company']), title: parseText(title), stage: isStage(stage) ? stage : undefined }
}

/** The prefilled fields of a new deal. */
export const getPrefilledFields = ({ title, stage, contact, company }: Prefilled): Record<string, string> => ({
  ...linkFields({ contact, company }),
  ...(title && { title }),
  ...(stage && { stage }),
})

/** The address of the record that a new deal is added to. */
export function getLinkedAddress({ contact, company }: Prefilled): string | undefined {
  if (contact) return `/crm/contacts/${contact}?tab=deals`
  return company && `/crm/companies/${company}`
}
