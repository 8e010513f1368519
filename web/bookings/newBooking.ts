import { parseLinks, parseText, toLinkFields } from '#web/records/address/newRecord.ts'
import { toInstantText } from './calendarAddress.ts'

type NewBookingParameters = {
  contact?: string | undefined
  title?: string | undefined
  start?: string | undefined
  end?: string | undefined
}

/** Parses the URL parameters of the form: the title, the times, and the id of the contact. */
export const parseNewBooking = (parameters: Record<string, unknown>): NewBookingParameters => ({
  ...parseLinks(parameters, ['contact']),
  title: parseText(parameters['title']),
  start: toInstantText(parameters['start']),
  end: toInstantText(parameters['end']),
})

const hourMs = 3_600_000
const defaultLengthMs = hourMs / 2

/** Returns the prefilled fields of a new booking, which begins at the next full hour if no time was chosen. */
export function getPrefilledFields({ title, contact, start, end }: NewBookingParameters, timezone: string): Record<string, string> {
  const startMs = start ? Date.parse(start) : Math.ceil((Date.now() + 1) / hourMs) * hourMs
  const endMs = end ? Date.parse(end) : startMs + defaultLengthMs
  return {
    ...toLinkFields({ contact }),
    ...(title && { title }),
    timezone,
    start_time: new Date(startMs).toISOString(),
    end_time: new Date(endMs).toISOString(),
  }
}

/** Returns the URL to which the dialog returns: the page of the prefilled contact; undefined without a contact. */
export const getReturnAddress = ({ contact }: NewBookingParameters): string | undefined =>
  contact && `/crm/contacts/${contact}?tab=appointments`
