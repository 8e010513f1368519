import { vi } from 'vitest'
import { showTimes } from './times.ts'

/** Returns the response with one day, whose only time has this label. */
export const makeTimesResponse = (label: string) => ({
  timezone_label: 'Tokyo',
  today: '2026-11-24',
  last_day: '2027-01-22',
  complete_to: '2027-01-22',
  other_day: null,
  is_full: false,
  days: [
    {
      date: '2026-11-25',
      label: 'Wednesday',
      timezone_label: 'Tokyo, JST (UTC+9)',
      times: [{ start_time: '2026-11-25T09:00:00Z', label }],
    },
  ],
})

type Settle = (response: Response | Error) => void

/**
 * Shows the page of a booking link to a visitor, by default in Tokyo. `listedDate`: the day whose times the server has listed. Each
 * request for times waits until the test calls `respond` with its index.
 */
export function openPage(date = '2026-11-25', timeZone = 'Asia/Tokyo', listedDate = '2026-11-25') {
  const pendingRequests: Settle[] = []
  const addresses: string[] = []
  vi.stubGlobal('fetch', (address: string) => {
    addresses.push(address)
    return new Promise<Response>((resolve, reject) =>
      pendingRequests.push((each) => (each instanceof Error ? reject(each) : resolve(each))),
    )
  })
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({
    ...Intl.DateTimeFormat().resolvedOptions(),
    timeZone,
  })
  document.body.innerHTML = `<span id="zone-label"></span><form><input name="listed_date" value="${listedDate}"><input name="listed_timezone" value="Europe/London"><input name="date" value="${date}" min="2026-11-24"><select name="start_time"><option value="london">09:00 to 09:30</option></select>
    <p id="start_time-message"></p><select name="timezone"><option>Europe/London</option></select><p id="timezone-message"></p></form>`
  const form = document.querySelector('form') ?? document.createElement('form')
  const times = showTimes(form, 'link')
  const change = (name: string, value: string): void => {
    const field = form.querySelector<HTMLInputElement | HTMLSelectElement>(`[name=${name}]`)
    field?.dispatchEvent(new Event('focus'))
    if (field) field.value = value
    field?.dispatchEvent(new Event('change'))
  }
  const respond = async (index: number, response: Response | Error): Promise<void> => {
    pendingRequests[index]?.(response)
    await new Promise((resolve) => setTimeout(resolve))
  }
  const listed = () => [...form.querySelectorAll('[name=start_time] option')].map((each) => [each.textContent, each.getAttribute('value')])
  /** The options, without the one that asks for a choice. */
  const options = () => listed().filter(([text]) => text !== 'Choose a time')
  const chosen = () => form.querySelector<HTMLSelectElement>('[name=start_time]')?.selectedOptions[0]?.textContent
  return { options, chosen, change, respond, addresses, times }
}
