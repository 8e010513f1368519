// Sentences, and parts of them, that several booking pages show.
import type { OtherDay } from '#contract/publicBookings.ts'

/** Says that a day has no free times, and which day has some. */
export function describeNoTimes(date: string, otherDay: OtherDay | null, isFull: boolean): string {
  if (isFull) return 'No free times at the moment, neither on this day nor on any other.'
  if (!otherDay) return 'No free times on this day.'
  return `No free times on this day. ${otherDay.date > date ? 'The next' : 'The last before it'} are on ${otherDay.label}.`
}

/** Returns the person whom a visitor can contact. An owner may have no name. */
export const contactOf = (ownerName: string): string => ownerName || 'the person whom you want to meet'

/** Says that the visitor gets no mail about a booking, and must keep the links of the page if it has some. */
export const describeNoMail = (hasLinks: boolean): string =>
  hasLinks ? 'No email is sent, so keep the links below if your plans may change.' : 'No email is sent.'
