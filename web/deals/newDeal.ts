import type { Stage } from '#contract/stages.ts'
import { toLinkFields, parseLinks, parseText } from '#web/records/address/newRecord.ts'
import { isStage } from './kind/stages.ts'

type NewDealParameters = {
  contact?: string | undefined
  company?: string | undefined
  title?: string | undefined
  stage?: Stage | undefined
}

/** Parses the URL parameters of the form: the title, the stage, and the ids of the linked contact and company. */
export function parseNewDeal(parameters: Record<string, unknown>): NewDealParameters {
  const { title, stage } = parameters
  return { ...parseLinks(parameters, ['contact', 'company']), title: parseText(title), stage: isStage(stage) ? stage : undefined }
}

/** Returns the prefilled fields of a new deal. */
export const getPrefilledFields = ({ title, stage, contact, company }: NewDealParameters): Record<string, string> => ({
  ...toLinkFields({ contact, company }),
  ...(title && { title }),
  ...(stage && { stage }),
})

/** Returns the address of the contact or company to which a new deal is added. The dialog returns to this address. */
export function getReturnAddress({ contact, company }: NewDealParameters): string | undefined {
  if (contact) return `/crm/contacts/${contact}?tab=deals`
  return company && `/crm/companies/${company}`
}
