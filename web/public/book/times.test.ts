import { afterEach, expect, test, vi } from 'vitest'
import { showTimes } from './times.ts'

afterEach(() => vi.unstubAllGlobals())

const offered = (label: string) => ({
  timezone_label: 'Tokyo',
  today: '2026-11-24',
  last_day: '2027-01-22',
  days: [{ date: '2026-11-25', label: 'Wednesday', times: [{ start_time: '2026-11-25T09:00:00Z', label }] }],
})

test('while the times of another zone or day are loaded, and when this fails, no old time can be chosen', async () => {
  const responses: ((response: Response | Error) => void)[] = []
  vi.stubGlobal(
    'fetch',
    () => new Promise<Response>((resolve, reject) => responses.push((each) => (each instanceof Error ? reject(each) : resolve(each)))),
  )
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({
    ...Intl.DateTimeFormat().resolvedOptions(),
    timeZone: 'Asia/Tokyo',
  })
  document.body.innerHTML = `<form><input name="date" value="2026-11-25"><select name="start_time"><option value="london">09:00 to 09:30</option></select>
    <p id="start_time-message"></p><select name="timezone"><option>Europe/London</option></select></form>`
  const form = document.querySelector('form') ?? document.createElement('form')
  const options = () => [...form.querySelectorAll('[name=start_time] option')].map((each) => [each.textContent, each.getAttribute('value')])
  showTimes(form, 'link')
  expect(options()).toEqual([['Loading...', '']])
  responses[0]?.(Response.json(offered('18:00 to 18:30')))
  await expect.poll(options).toEqual([['18:00 to 18:30', '2026-11-25T09:00:00Z']])
  const zone = form.querySelector<HTMLSelectElement>('[name=timezone]')
  zone?.dispatchEvent(new Event('change'))
  expect(options()).toEqual([['Loading...', '']])
  responses[1]?.(new Error('offline'))
  await expect.poll(options).toEqual([['Not loaded', '']])
  expect(document.querySelector('#start_time-message')?.textContent).toMatch(/^The times could not be loaded\./)
})
