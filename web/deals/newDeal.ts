import type { Stage } from '#contract/deals.ts'
import { linkFields, PrefilledLinks, typedInAddress } from '#web/records/address/newRecord.ts'
import { isStage } from './stages.ts'

type NewDealAddress = Pick<PrefilledLinks, 'contact' | 'company'> & { title?: string | undefined; stage?: Stage | undefined }

/** What the address of a new deal says of it: a title as somebody typed it, its stage, what it belongs to. */
export function readNewDeal({ title, stage, ...links }: Record<string, unknown>): NewDealAddress {
  const { contact, company } = PrefilledLinks.parse(links)
  return { contact, company, title: typedInAddress(title), stage: isStage(stage) ? stage : undefined }
}

/** The fields that a new deal begins with. */
export const fieldsOf = ({ title, stage, contact, company }: NewDealAddress): Record<string, string> => ({
  ...linkFields({ contact, company }),
  ...(title && { title }),
  ...(stage && { stage }),
})

/** Where the record stands that a new deal is added to; undefined where it is added by itself. */
export function placeOf({ contact, company }: NewDealAddress): string | undefined {
  if (contact) return `/crm/contacts/${contact}?tab=deals`
  return company && `/crm/companies/${company}`
}
