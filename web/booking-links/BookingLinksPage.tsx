import { Outlet } from '@tanstack/react-router'
import type { BookingLinkRow } from '#contract/bookingLinks.ts'
import { copyText } from '#web/lib/copyText.ts'
import { RecordsPage } from '#web/records/list/RecordsPage.tsx'
import { bookingLinkKind } from './bookingLinkKind.tsx'
import { getPublicAddress } from './publicAddress.ts'
import { toggleActive } from './toggleActive.ts'

/** The list of booking links. A booking link opens in a panel over the list. */
export const BookingLinksPage = () => (
  <>
    <RecordsPage kind={bookingLinkKind} onAction={runAction} />
    <Outlet />
  </>
)

function runAction(action: string, link: BookingLinkRow): void {
  if (action === 'toggle') void toggleActive(link)
  if (action === 'copy link') void copyText(getPublicAddress(link.slug), 'Booking link copied')
}
