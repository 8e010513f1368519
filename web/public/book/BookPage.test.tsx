// @vitest-environment-options { "settings": { "handleDisabledFileLoadingAsSuccess": true } }
// Without this option happy-dom reports an error for each file that a document names, because it loads no files.
import { expect, test } from 'vitest'
import type { BookContent, PageParts } from '#contract/pages.ts'
import { showFieldMessages } from '../form/messages.ts'
import { pages } from '../pages.tsx'

const resources = {
  nonce: 'n0nce',
  token: 'tok"en',
  challenge: '{"a":1}',
  styles: ['/assets/book.css'],
  scripts: ['/assets/book.js'],
  prefetchUrls: [],
}
type LinkContent = Extract<BookContent, { kind: 'link' }>
const start = '2026-11-30T10:00:00.000Z'
const content: LinkContent = {
  kind: 'link',
  url: 'https://foyer.example/book/site-visit',
  path: '/book/site-visit',
  link: {
    id: '01930000-0000-7000-8000-0000000000b1',
    slug: 'site-visit',
    title: 'Site "visit" <script>alert(1)</script>',
    description: 'We look at the room\ntogether.',
    color: '#3B82F6',
    duration_minutes: 30,
  },
  owner_name: 'Larkfield Studio',
  choice: {
    timezone: 'Europe/London',
    timezone_label: 'London, GMT',
    timezones: [],
    today: '2026-11-23',
    last_day: '2027-01-22',
    date: '2026-11-30',
    times: [{ start_time: start, label: '10:00 to 10:30' }],
    other_day: null,
    is_full: false,
    start_time: '',
  },
  values: { name: '', email: '', phone: '', notes: '' },
  questions: [],
  answers: {},
  problem: null,
  sends_mail: true,
  cutoff: '',
  booked: null,
  waiting: null,
}
const render = (changes: Partial<LinkContent> = {}, parts: Partial<PageParts> = {}): Document =>
  new DOMParser().parseFromString(pages.book({ ...content, ...changes }, { ...resources, ...parts }), 'text/html')
const metaOf = (page: Document, property: string) => page.querySelector(`meta[property="og:${property}"]`)?.getAttribute('content')
const textOf = (page: Document, selector: string) => page.querySelector(selector)?.textContent

test('the page of a booking link has a title, a description and an address for previews, and texts of its owner cannot become elements', () => {
  const page = render()
  expect([metaOf(page, 'title'), metaOf(page, 'description'), metaOf(page, 'url')]).toEqual([
    content.link.title,
    'We look at the room together.',
    content.url,
  ])
  expect(textOf(page, 'h1')).toBe(content.link.title)
  // the response has the referrer policy in a header
  expect(page.querySelectorAll('script:not([src]), [style], style, meta[name=robots], meta[name=referrer]')).toHaveLength(0)
})

test('the page of a booking link is a form that works without scripts, with a token and a nonce of its own for each visitor', () => {
  for (const [token, nonce] of [
    ['first', 'a'],
    ['sec"ond', 'b'],
  ] as const) {
    const page = render({}, { token, nonce })
    const form = page.querySelector('form')
    expect([form?.getAttribute('method'), form?.getAttribute('action'), form?.dataset['challenge']]).toEqual([
      'post',
      content.path,
      '{"a":1}',
    ])
    expect(page.querySelector<HTMLInputElement>('[name=page_token]')?.value).toBe(token)
    expect(page.querySelector('meta[property=csp-nonce]')?.getAttribute('nonce')).toBe(nonce)
  }
  const page = render()
  expect([...page.querySelectorAll('label')].map(({ textContent }) => textContent?.trim())).toEqual(
    expect.arrayContaining(['Date', 'Time', 'Time zone', 'Name', 'Email', 'Phone optional', 'Notes optional']),
  )
  expect([textOf(page, 'option'), textOf(page, '.button-primary')]).toEqual(['Choose a time', 'Confirm Booking'])
})

test('the page of a booking link marks the optional questions of the owner, like the other optional fields', () => {
  const question = { field_type: 'text' as const, placeholder: '', options: [] }
  const labels = render({
    questions: [
      { ...question, id: 'a', field_name: 'room', field_label: 'Room', is_required: true },
      { ...question, id: 'b', field_name: 'wood', field_label: 'Wood', is_required: false },
    ],
  }).querySelectorAll('[data-field] label')
  expect([...labels].map(({ textContent }) => textContent)).toEqual(['Room', 'Wood optional'])
})

test('the page of a booking link says what is wrong beside the fields, and offers the nearest times', () => {
  const message = 'This time has just been taken. Please choose another.'
  const nearest = [{ start_time: start, label: '10:00 to 10:30, Monday, 30 November 2026' }]
  const page = render({ problem: { message, fields: { email: 'Enter an email' }, nearest }, values: { ...content.values, name: 'Mary' } })
  expect([textOf(page, '[role=alert]'), textOf(page, '#email-message'), textOf(page, 'optgroup option')]).toEqual([
    message,
    'Enter an email',
    nearest[0]?.label,
  ])
  expect(page.querySelector<HTMLInputElement>('#name')?.value).toBe('Mary')
  expect(page.querySelector('#email')?.getAttribute('aria-invalid')).toBe('true')
})

test('the page of a booking link says with an attribute for the script whether the sentence at the top is about fields', () => {
  const isAboutFields = (fields: Record<string, string>) =>
    render({ problem: { message: 'Refused', fields, nearest: [] } })
      .querySelector('[role=alert]')
      ?.hasAttribute('data-about-fields')
  expect([isAboutFields({ email: 'Enter an email' }), isAboutFields({})]).toEqual([true, false])
})

test('the page of a booking link marks each refused field', () => {
  const names = ['date', 'start_time', 'timezone', 'name', 'email', 'phone', 'notes']
  const fields = Object.fromEntries(names.map((name) => [name, 'Refused']))
  const marked = render({ problem: { message: '', fields, nearest: [] } }).querySelectorAll('[aria-invalid=true]')
  expect([...marked].map(({ id }) => id)).toEqual(names)
  expect(render().querySelector('[aria-invalid]')).toBeNull()
})

test('the page of a booking link lists the time zones by region, with the place first', () => {
  const timezones = ['UTC', 'America/New_York', 'Europe/Oslo', 'Europe/London', 'America/Argentina/Salta']
  const list = render({ choice: { ...content.choice, timezones } }).querySelector('#timezone')
  const groups = [...(list?.children ?? [])].map((each) => [each.getAttribute('label'), each.textContent])
  expect(groups).toEqual([
    [null, 'UTC'],
    ['Americas', 'New YorkSalta, Argentina'],
    ['Europe', 'LondonOslo'],
  ])
  expect(list?.querySelector('[value="Europe/London"]')?.hasAttribute('selected')).toBe(true)
})

test('the page of a booking link confirms a booking, and promises no mail if none is sent', () => {
  const booked = { when: 'Monday', email: 'mary@example.org', can_change: true, cancel_url: '/c', move_url: '/m' }
  expect(textOf(render({ booked }), '#booked')).toContain('A confirmation goes to mary@example.org')
  const withoutMail = render({ booked, sends_mail: false })
  expect(textOf(withoutMail, '#booked')).toContain('No email is sent')
  expect(withoutMail.querySelector('.hint')).toBeNull()
})

test('the page of a booking link that takes no bookings any more keeps the confirmation of a booking, which can be cancelled', () => {
  const booked = { when: 'Monday', email: 'mary@example.org', can_change: true, cancel_url: '/c', move_url: '' }
  const shared = { title: 'Site visit', color: '#3B82F6', owner_name: 'Larkfield Studio', timezone_label: 'London, GMT', sends_mail: false }
  const page = new DOMParser().parseFromString(pages.book({ kind: 'booked', ...shared, booked }, resources), 'text/html')
  expect(textOf(page, '#booked')).toBe(
    'Booking confirmedMonday. No email is sent, so keep the links below if your plans may change.Cancel it',
  )
  expect([textOf(page, '#booked + p'), page.querySelector('form')]).toEqual(['This page takes no other bookings at the moment.', null])
})

test('the page of a booking link says whom to contact when a booking can no longer be changed', () => {
  const booked = { when: 'Monday', email: 'mary@example.org', can_change: false, cancel_url: '/c', move_url: '/m' }
  const contact = 'It can no longer be moved or cancelled online. To change it, contact '
  for (const [changes, text] of [
    [{}, `Monday. A confirmation goes to mary@example.org.${contact}Larkfield Studio.`],
    [{ sends_mail: false, owner_name: '' }, `Monday. No email is sent.${contact}the person whom you want to meet.`],
  ] as const) {
    const page = render({ booked, ...changes })
    expect([textOf(page, '#booked'), page.querySelectorAll('#booked a').length]).toEqual([`Booking confirmed${text}`, 0])
  }
})

test('the page of a booking link says in the form until when a booking can be changed', () => {
  expect([textOf(render(), '.hint'), textOf(render({ cutoff: '1 day' }), '.hint')]).toEqual([
    'You get an email with a link to move or cancel.',
    'You get an email with a link to move or cancel until 1 day before the booking begins.',
  ])
})

const isOffered = (changes: Partial<LinkContent>) => render(changes).querySelector<HTMLElement>('#wait')?.hidden === false
const noTimes = { ...content.choice, times: [] }

test('the page of a booking link offers to wait when a day has no free times or the chosen time was taken, unless the server sends no mail', () => {
  const taken = { message: 'Taken', fields: {}, nearest: content.choice.times }
  expect([isOffered({}), isOffered({ choice: noTimes }), isOffered({ problem: taken })]).toEqual([false, true, true])
  expect(render({ choice: noTimes, sends_mail: false }).querySelector('#wait')).toBeNull()
})

test('the page of a booking link says for which day the visitor waits, and does not offer to wait for this day again', () => {
  const days = { first_day: '2026-11-30', last_day: '2026-11-30', days: 'Monday, 30 November 2026' }
  const waiting = { ...days, email: 'mary@example.org', stop_url: '/stop' }
  const otherDay = { ...noTimes, date: '2026-12-01' }
  expect([isOffered({ waiting, choice: noTimes }), isOffered({ waiting, choice: otherDay })]).toEqual([false, true])
  expect(textOf(render({ waiting }), '#booked')).toMatch(/^You are on the waiting listMonday, 30 November 2026\. One email goes to mary@/)
})

test('the page of a booking link says which other day has times when the chosen day has none', () => {
  const textFor = (choice: Partial<LinkContent['choice']>) => textOf(render({ choice: { ...noTimes, ...choice } }), '#start_time-message')
  expect(textFor({ other_day: { date: '2026-12-01', label: 'Tuesday' } })).toBe('No free times on this day. The next are on Tuesday.')
  expect(textFor({ other_day: { date: '2026-11-24', label: 'Tuesday' } })).toBe(
    'No free times on this day. The last before it are on Tuesday.',
  )
  expect(textFor({ is_full: true })).toBe('No free times at the moment, neither on this day nor on any other.')
  expect([textFor({}), textFor(content.choice)]).toEqual(['No free times on this day.', ''])
})

test('the page of a booking link still says that the day has no times after the message about a refused time goes away', () => {
  const page = render({ choice: noTimes, problem: { message: '', fields: { start_time: 'Not offered' }, nearest: [] } })
  const time = page.querySelector<HTMLElement>('#start_time')
  const element = page.querySelector('#start_time-message')
  showFieldMessages([{ name: 'start_time', inputs: time ? [time] : [], element }], {})
  expect([time?.hasAttribute('aria-invalid'), element?.textContent]).toEqual([false, 'No free times on this day.'])
})

test('the page of a missing booking link says so, and is not indexed', () => {
  const page = new DOMParser().parseFromString(pages.book({ kind: 'missing' }, resources), 'text/html')
  expect([textOf(page, 'h1'), textOf(page, 'h1 + p')]).toEqual([
    'Booking Link Not Found',
    'This booking link is not available or has been deactivated.',
  ])
  expect(page.querySelector('meta[name=robots]')?.getAttribute('content')).toBe('noindex')
  expect(page.querySelectorAll('meta[property^="og:"], script')).toHaveLength(0)
})
