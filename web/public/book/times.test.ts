import { afterEach, expect, test, vi } from 'vitest'
import { problemResponse } from '#web/testing.ts'
import { showFieldMessages } from '../form/messages.ts'
import { makeTimesResponse, openPage } from './testing.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  document.body.replaceChildren() // other test files use the same document
})

test('while the times of another zone or day are loaded, and when this fails, no old time can be chosen', async () => {
  const { options, change, respond, addresses } = openPage()
  expect(options()).toEqual([['Loading...', '']])
  await respond(0, Response.json(makeTimesResponse('18:00 to 18:30')))
  await expect.poll(options).toEqual([['18:00 to 18:30', '2026-11-25T09:00:00Z']])
  change('timezone', 'Asia/Tokyo')
  expect(options()).toEqual([['Loading...', '']])
  await respond(1, new Error('offline'))
  await expect.poll(options).toEqual([['Not loaded', '']])
  expect(document.querySelector('#start_time-message')?.textContent).toMatch(/^The times could not be loaded\./)
  for (const event of ['pointerdown', 'focus', 'focus']) document.querySelector('[name=start_time]')?.dispatchEvent(new Event(event))
  expect([options(), addresses.length]).toEqual([[['Loading...', '']], 3]) // only once
  await respond(2, new Error('offline'))
  await expect.poll(options).toEqual([['Not loaded', '']])
  window.dispatchEvent(new Event('online'))
  await respond(3, Response.json(makeTimesResponse('18:00 to 18:30')))
  await expect.poll(options).toEqual([['18:00 to 18:30', '2026-11-25T09:00:00Z']])
})

test('while the times of a zone are loaded, and when this fails, the page names the selected zone', async () => {
  const zoneLabel = () => document.querySelector('#zone-label')?.textContent
  const { options, change, respond } = openPage('2026-11-25', 'Europe/London')
  change('timezone', 'Asia/Tokyo')
  expect(zoneLabel()).toBe('Tokyo')
  await respond(0, new Error('offline'))
  await expect.poll(options).toEqual([['Not loaded', '']])
  expect(zoneLabel()).toBe('Tokyo')
})

test('a response for an earlier choice of zone or day changes nothing, whether it is late or failed', async () => {
  const { options, change, respond, addresses } = openPage()
  await respond(0, Response.json(makeTimesResponse('18:00 to 18:30')))
  change('timezone', 'Europe/London')
  change('timezone', 'America/New_York')
  await respond(1, Response.json(makeTimesResponse('09:00 to 09:30')))
  expect(options()).toEqual([['Loading...', '']])
  await respond(2, Response.json(makeTimesResponse('04:00 to 04:30')))
  await expect.poll(options).toEqual([['04:00 to 04:30', '2026-11-25T09:00:00Z']])
  change('timezone', 'Asia/Tokyo')
  change('date', '2026-11-25') // the times of the zone before are not shown
  expect(options()).toEqual([['Loading...', '']])
  await respond(4, Response.json(makeTimesResponse('18:00 to 18:30')))
  await respond(3, new Error('offline'))
  await expect.poll(options).toEqual([['18:00 to 18:30', '2026-11-25T09:00:00Z']])
  expect(addresses.map((address) => new URL(address, 'http://host').searchParams.get('timezone'))).toEqual([
    'Asia/Tokyo',
    'Europe/London',
    'America/New_York',
    'Asia/Tokyo',
    'Asia/Tokyo',
  ])
})

test('in another zone a chosen day that is far ahead stays, and the label of the zone has the offset of the shown day', async () => {
  const { change, respond, addresses } = openPage('2027-03-04')
  const day = { date: '2027-03-04', label: 'Thursday', timezone_label: 'Tokyo, JST (UTC+9)', times: [] }
  await respond(0, Response.json({ ...makeTimesResponse(''), days: [day], last_day: '2027-05-02', complete_to: '2027-05-02' }))
  await expect.poll(() => document.querySelector('#zone-label')?.textContent).toBe('Tokyo, JST (UTC+9)')
  expect(new URL(addresses[0] ?? '', 'http://host').searchParams.get('from')).toBe('2027-03-04')
  expect(document.querySelector<HTMLInputElement>('[name=date]')?.value).toBe('2027-03-04')
  change('date', '2027-03-05')
  await expect.poll(() => document.querySelector('#zone-label')?.textContent).toBe('Tokyo')
})

test('the page that moves a booking asks for times with its token, so that the time of the booking is free', async () => {
  history.replaceState(null, '', '/booking/move/token.of-the-mail')
  const { addresses, change } = openPage()
  change('date', '2026-11-26')
  history.replaceState(null, '', '/')
  expect(new URL(addresses[0] ?? '', 'http://host').searchParams.get('move')).toBe('token.of-the-mail')
})

test('if the server does not know the zone of the browser, the page says so and shows the times in its original zone', async () => {
  const { options, change, respond, addresses } = openPage('2026-11-25', 'Etc/Unknown')
  const refused = () => problemResponse('invalid', { fields: { timezone: 'Choose a time zone from the list' } })
  const zone = document.querySelector<HTMLSelectElement>('[name=timezone]')
  const zoneMessage = () => document.querySelector('#timezone-message')?.textContent
  await respond(0, refused())
  await expect.poll(() => addresses.length).toBe(2)
  await respond(1, Response.json(makeTimesResponse('09:00 to 09:30')))
  await expect.poll(options).toEqual([['09:00 to 09:30', '2026-11-25T09:00:00Z']])
  expect([zone?.value, document.querySelector('#start_time-message')?.textContent]).toEqual(['Europe/London', ''])
  expect(zoneMessage()).toBe('Times in the zone Etc/Unknown cannot be shown. Choose another zone from the list.')
  zone?.setAttribute('aria-invalid', 'true') // the server marks a zone that it has refused
  change('timezone', 'Asia/Tokyo')
  expect([zoneMessage(), zone?.hasAttribute('aria-invalid')]).toEqual(['', false])
  expect(addresses.map((address) => new URL(address, 'http://host').searchParams.get('timezone'))).toEqual([
    'Etc/Unknown',
    'Europe/London',
    'Asia/Tokyo',
  ])
})

test('after the Back button, the times of the day that the browser has restored are loaded, also if it restores the day late', async () => {
  const { options, respond, addresses } = openPage('2026-11-26', 'Europe/London')
  expect([addresses.length, options()]).toEqual([1, [['Loading...', '']]])
  const days = ['2026-11-26', '2026-11-27'].map((date) => ({
    ...makeTimesResponse('').days[0],
    date,
    times: [{ start_time: date, label: date }],
  }))
  await respond(0, Response.json({ ...makeTimesResponse(''), days }))
  await expect.poll(options).toEqual([['2026-11-26', '2026-11-26']])
  const date = document.querySelector<HTMLInputElement>('[name=date]')
  if (date) date.value = '2026-11-27'
  for (let times = 0; times < 2; times++) window.dispatchEvent(new Event('pageshow'))
  await expect.poll(options).toEqual([['2026-11-27', '2026-11-27']])
  const values = new FormData(document.querySelector('form') ?? undefined)
  expect([values.get('listed_date'), values.get('listed_timezone'), addresses.length]).toEqual(['2026-11-27', 'Europe/London', 1])
})

test('a page whose list has the times of the day and the zone in its fields loads no times', () => {
  expect(openPage('2026-11-25', 'Europe/London').addresses).toEqual([])
})

test('an empty date field changes nothing until a day is entered', async () => {
  const { options, change, respond, addresses } = openPage()
  await respond(0, Response.json(makeTimesResponse('18:00 to 18:30')))
  change('date', '')
  expect([addresses.length, options()]).toEqual([1, [['18:00 to 18:30', '2026-11-25T09:00:00Z']]])
  change('date', '2026-11-26')
  expect(document.querySelector('#start_time-message')?.textContent).toBe('No free times on this day. The last before it are on Wednesday.')
})

test('days that a response has left out are loaded when they are chosen, also with another zone', async () => {
  const { options, change, respond, addresses } = openPage('2026-12-10')
  const readFrom = () => addresses.map((address) => new URL(address, 'http://host').searchParams.get('from'))
  await respond(0, Response.json({ ...makeTimesResponse('18:00 to 18:30'), complete_to: '2026-11-25' }))
  await expect.poll(readFrom).toEqual([null, '2026-12-10'])
  expect(options()).toEqual([['Loading...', '']])
  const later = {
    date: '2026-12-10',
    label: 'Thursday',
    timezone_label: 'Tokyo',
    times: [{ start_time: 'later', label: '12:00 to 12:30' }],
  }
  await respond(1, Response.json({ ...makeTimesResponse(''), days: [later], complete_to: '2026-12-10' }))
  await expect.poll(options).toEqual([['12:00 to 12:30', 'later']])
  expect(document.querySelector<HTMLInputElement>('[name=date]')?.value).toBe('2026-12-10')
  change('date', '2026-12-11')
  expect([options(), readFrom().at(-1)]).toEqual([[['Loading...', '']], '2026-12-11'])
})

test('another day keeps the chosen time if it is free, and otherwise asks for a choice', async () => {
  const { chosen, change, respond } = openPage('2026-11-26', 'Europe/London')
  const dayOf = (date: string, labels: string[]) => ({
    ...makeTimesResponse('').days[0],
    date,
    times: labels.map((label) => ({ start_time: `${date} ${label}`, label })),
  })
  const days = [dayOf('2026-11-26', ['08:00 to 08:30', '09:00 to 09:30']), dayOf('2026-11-27', ['08:00 to 08:30'])]
  await respond(0, Response.json({ ...makeTimesResponse(''), days: [...days, dayOf('2026-11-28', ['09:00 to 09:30'])] }))
  await expect.poll(chosen).toBe('09:00 to 09:30') // the time in the page of the server, on another day
  change('date', '2026-11-27')
  expect(chosen()).toBe('Choose a time')
  change('date', '2026-11-28')
  expect(chosen()).toBe('09:00 to 09:30')
})

test('after the chosen time was taken, the visitor must choose one of the nearest', async () => {
  const { chosen, options, change, respond, times } = openPage('2026-11-25', 'Europe/London')
  const isInvalid = () => document.querySelector('[name=start_time]')?.getAttribute('aria-invalid')
  times.showNearest('london', [{ start_time: 'near', label: '08:30 to 09:00, Tuesday, 24 November 2026' }], 'Taken')
  expect([chosen(), options()]).toEqual(['Choose a time', [['08:30 to 09:00, Tuesday, 24 November 2026', 'near']]])
  expect([document.querySelector('#start_time-message')?.textContent, isInvalid()]).toEqual(['Taken', 'true'])
  change('date', '2026-11-26')
  expect(isInvalid()).toBe('true') // the message is still there
  await respond(0, Response.json(makeTimesResponse('18:00 to 18:30')))
  await expect.poll(isInvalid).toBeNull()
})

test.each([
  ['times of another day arrive later', Response.json(makeTimesResponse('18:00 to 18:30'))],
  ['the times of another day cannot be loaded', new Error('offline')],
])('the sentence about a taken time stays when %s', async (_event, response) => {
  const { options, change, respond, times } = openPage('2026-11-25', 'Europe/London')
  const message = () => document.querySelector('#start_time-message')?.textContent
  change('date', '2026-11-26') // while the booking is sent
  times.showNearest('london', [{ start_time: 'near', label: '08:30 to 09:00' }], 'Taken')
  await respond(0, response)
  expect([options(), message()]).toEqual([[['08:30 to 09:00', 'near']], 'Taken'])
})

test('after a failure to load another day, the sentence about a taken time stays, and nothing is loaded again', async () => {
  const { change, respond, addresses, times } = openPage('2026-11-25', 'Europe/London')
  change('date', '2026-11-26')
  await respond(0, new Error('offline'))
  times.showNearest('london', [{ start_time: 'near', label: '08:30 to 09:00' }], 'Taken')
  expect([addresses.length, document.querySelector('#start_time-message')?.textContent]).toEqual([1, 'Taken'])
})

test('the taken time is removed from the list, and not the time that the visitor has selected while the booking was sent', () => {
  const { options, times } = openPage('2026-11-25', 'Europe/London')
  const time = document.querySelector<HTMLSelectElement>('[name=start_time]')
  time?.insertAdjacentHTML('beforeend', '<option value="later">10:00 to 10:30</option>')
  if (time) time.value = 'later'
  times.showNearest('london', [], 'Taken')
  expect(options()).toEqual([['10:00 to 10:30', 'later']])
})

test('when the last time of a day was taken, the page first says so, and then that the day has no times', () => {
  const { options, times } = openPage('2026-11-25', 'Europe/London')
  const time = document.querySelector<HTMLElement>('[name=start_time]')
  const element = document.querySelector('#start_time-message')
  const removeRefusal = (): boolean => showFieldMessages([{ name: 'start_time', inputs: time ? [time] : [], element }], {})
  times.showNearest('london', [], 'Taken')
  expect([options(), element?.textContent]).toEqual([[], 'Taken'])
  removeRefusal()
  expect([time?.hasAttribute('aria-invalid'), element?.textContent]).toEqual([false, 'No free times on this day.'])
  times.showNearest('london', [{ start_time: 'near', label: '08:30 to 09:00' }], 'Taken')
  removeRefusal()
  expect(element?.textContent).toBe('')
})

test('the list of zones is completed when the visitor opens it, or soon after the page is loaded, and keeps the selected zone', async () => {
  const zones = () => [...document.querySelectorAll('[name=timezone] option')].map((each) => each.getAttribute('value'))
  const selected = () => document.querySelector<HTMLSelectElement>('[name=timezone]')?.value
  openPage()
  expect([zones(), selected()]).toEqual([['Asia/Tokyo', 'Europe/London'], 'Asia/Tokyo'])
  document.querySelector('[name=timezone]')?.dispatchEvent(new Event('pointerdown'))
  expect([zones().length > 300, new Set(zones()).size === zones().length, selected()]).toEqual([true, true, 'Asia/Tokyo'])
  openPage()
  await expect.poll(() => [zones().length > 300, selected()]).toEqual([true, 'Asia/Tokyo'])
})

test('the zone of the browser is read from `Temporal`, if the browser has it', () => {
  vi.stubGlobal('Temporal', { Now: { timeZoneId: () => 'Asia/Seoul' } })
  const { addresses } = openPage()
  expect(new URL(addresses[0] ?? '', 'http://host').searchParams.get('timezone')).toBe('Asia/Seoul')
})
