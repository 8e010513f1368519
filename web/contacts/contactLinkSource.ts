import { createLinkSource } from '#web/records/links/createLinkSource.ts'
import { contactKind } from './contactKind.tsx'

/** Finds contacts for link fields. Not in the file of the kind, because the list of contacts does not need it. */
export const contactLinkSource = createLinkSource(contactKind)
