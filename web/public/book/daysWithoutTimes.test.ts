import { afterEach, expect, test, vi } from 'vitest'
import { makeTimesResponse, openPage } from './testing.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  document.body.replaceChildren() // other test files use the same document
})

test('when the zone changes, a chosen day stays even without times, and a day that is over in the new zone becomes today', async () => {
  const readDate = () => document.querySelector<HTMLInputElement>('[name=date]')?.value
  const { options, change, respond } = openPage('2026-11-25', 'Europe/London')
  change('date', '2026-12-20')
  await respond(0, Response.json(makeTimesResponse('18:00 to 18:30')))
  change('timezone', 'Asia/Tokyo')
  await respond(1, Response.json(makeTimesResponse('18:00 to 18:30')))
  await expect.poll(options).toEqual([['No free times', '']])
  expect(readDate()).toBe('2026-12-20')
  change('date', '2026-11-24')
  change('timezone', 'Pacific/Auckland')
  await respond(2, Response.json({ ...makeTimesResponse('22:00 to 22:30'), today: '2026-11-25' }))
  await expect.poll(readDate).toBe('2026-11-25')
})

test('in the zone of the browser, a day from the address stays even without times, and any other becomes the first day with times', async () => {
  const readDate = () => document.querySelector<HTMLInputElement>('[name=date]')?.value
  for (const [query, shown, expected] of [
    ['?date=2026-12-20', '2026-12-20', '2026-12-20'],
    ['?date=2026-11-01', '2026-11-24', '2026-11-25'], // the server has replaced a day of the past
    ['', '2026-11-24', '2026-11-25'],
  ] as const) {
    history.replaceState(null, '', `/${query}`)
    const { options, respond } = openPage(shown, 'Asia/Tokyo', shown) // the shown day is also the listed one, so no visitor has chosen it
    history.replaceState(null, '', '/')
    await respond(0, Response.json(makeTimesResponse('18:00 to 18:30')))
    await expect.poll(options).not.toEqual([['Loading...', '']])
    expect(readDate()).toBe(expected)
  }
})

test('for a day without times the page names another day that has some, and asks the server for it if no loaded day is later', async () => {
  const text = () => document.querySelector('#start_time-message')?.textContent
  const { change, respond, addresses } = openPage('2026-11-26')
  await respond(0, Response.json({ ...makeTimesResponse('18:00 to 18:30'), last_day: '2027-03-01' }))
  await expect.poll(() => addresses.length).toBe(2)
  expect(new URL(addresses[1] ?? '', 'http://host').searchParams.get('from')).toBe('2026-11-26')
  const empty = { ...makeTimesResponse(''), last_day: '2027-03-01', days: [] }
  await respond(1, Response.json({ ...empty, other_day: { date: '2027-02-01', label: 'Monday' } }))
  await expect.poll(text).toBe('No free times on this day. The next are on Monday.')
  change('date', '2026-12-01')
  expect([text(), addresses.length]).toEqual(['No free times on this day. The next are on Monday.', 2])
  change('timezone', 'Europe/London')
  await respond(2, Response.json(empty))
  await expect.poll(text).toBe('No free times on this day.')
  change('timezone', 'Asia/Tokyo')
  await respond(3, Response.json({ ...empty, is_full: true }))
  await expect.poll(text).toBe('No free times at the moment, neither on this day nor on any other.')
})

test('a visitor is not asked to wait again for a day of the wait that the page confirms', async () => {
  const { options, change, respond } = openPage('2026-11-26', 'Europe/London')
  const section = document.createElement('section')
  section.id = 'wait'
  Object.assign(section.dataset, { firstDay: '2026-11-26', lastDay: '2026-11-27' })
  document.body.append(section)
  await respond(0, Response.json(makeTimesResponse('18:00 to 18:30')))
  await expect.poll(options).toEqual([['No free times', '']])
  const isHidden = (date: string) => {
    change('date', date)
    return section.hidden
  }
  // 25 November has times, and so needs no wait
  expect(['2026-11-25', '2026-11-26', '2026-11-27', '2026-11-28'].map(isHidden)).toEqual([true, true, true, false])
})
