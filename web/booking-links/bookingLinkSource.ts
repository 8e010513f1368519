import { createLinkSource } from '#web/records/links/createLinkSource.ts'
import { bookingLinkKind } from './bookingLinkKind.tsx'

/** Finds booking links for link fields. */
export const bookingLinkSource = createLinkSource(bookingLinkKind)
