// Downloads the files of other calendars.
import type { AppContext } from '#server/platform/feature/context.ts'
import { createHostList, OutboundFailure } from '#server/platform/outbound/outbound.ts'
import { CalendarFailure } from './failure.ts'

type Services = Pick<AppContext, 'outbound'> & { settings: Pick<AppContext['settings'], 'allowedHosts'> }

/** The version that was read last, from the headers of the other server. */
export type KnownVersion = { etag: string | null; last_modified: string | null }

/** The file of a calendar with its version. */
export type CalendarFile = KnownVersion & { bytes: Uint8Array<ArrayBuffer> }

/** The whole file must arrive within this time. */
let timeoutMs = 20_000
/** Sets the time within which calendars must arrive. Tests lower it. */
export function setCalendarTimeout(newTimeoutMs: number): void {
  timeoutMs = newTimeoutMs
}

const maxBytes = 10 * 1024 * 1024
const maxRedirects = 5

/** Returns the address with `https:` in place of `webcal:`. */
export const normalizeAddress = (address: string): string => address.replace(/^webcals?:/i, 'https:')

/** Whether the address begins with `https:` or has a host that the operator allows. */
export const isSafeAddress = ({ settings }: Pick<Services, 'settings'>, address: URL): boolean =>
  address.protocol === 'https:' || createHostList(settings.allowedHosts)(address)

/**
 * Downloads a calendar. Returns undefined if the file still has the known version. Follows redirects, and checks each address. Throws
 * `CalendarFailure`, and the reason of the signal.
 */
export async function downloadCalendar(
  services: Services,
  address: string,
  known: KnownVersion | undefined,
  signal: AbortSignal,
): Promise<CalendarFile | undefined> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    return await fetchWithRedirects(services, address, known, AbortSignal.any([signal, timeout]))
  } catch (error) {
    signal.throwIfAborted()
    if (timeout.aborted) throw new CalendarFailure(`The calendar did not arrive within ${timeoutMs / 1000} seconds.`, { cause: error })
    if (error instanceof OutboundFailure) throw new CalendarFailure(toSentence(error), { cause: error })
    throw error
  }
}

const toSentence = (failure: OutboundFailure): string =>
  failure.reason === 'too_large' ? 'The calendar is larger than 10 MB.' : failure.message

async function fetchWithRedirects(
  services: Services,
  firstAddress: string,
  known: KnownVersion | undefined,
  signal: AbortSignal,
): Promise<CalendarFile | undefined> {
  const headers = {
    accept: 'text/calendar, */*;q=0.1',
    'user-agent': 'Foyer-Calendar',
    ...(known?.etag && { 'if-none-match': known.etag }),
    ...(known?.last_modified && { 'if-modified-since': known.last_modified }),
  }
  let address = new URL(firstAddress)
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    if (!isSafeAddress(services, address)) throw new CalendarFailure('The address leads to one that is not encrypted (https).')
    const response = await services.outbound(address, { headers, maxBytes, signal, returnsRedirects: true })
    const { status } = response
    if (status === 304 && known) return undefined
    const location = response.headers.get('location')
    if (status >= 300 && status < 400 && location !== null && URL.canParse(normalizeAddress(location), address.href)) {
      address = new URL(normalizeAddress(location), address)
      continue
    }
    if (!response.ok) {
      await response.body?.cancel()
      throw new CalendarFailure(describeStatus(status))
    }
    const bytes = new Uint8Array(await response.arrayBuffer())
    return { bytes, etag: readVersion(response, 'etag'), last_modified: readVersion(response, 'last-modified') }
  }
  throw new CalendarFailure('The address leads to too many others.')
}

function describeStatus(status: number): string {
  if (status === 401 || status === 403) return 'The other calendar does not accept this address. Copy its secret address again.'
  if (status === 404 || status === 410) return 'There is no calendar at this address.'
  return `The other calendar answered with status ${status}.`
}

/** Longer values are not sent back. */
const maxVersionLength = 500

function readVersion({ headers }: Response, name: 'etag' | 'last-modified'): string | null {
  const value = headers.get(name)
  return value !== null && value.length <= maxVersionLength ? value : null
}
