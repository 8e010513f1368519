// @vitest-environment-options { "settings": { "handleDisabledFileLoadingAsSuccess": true } }
// Without this option happy-dom reports an error for each file that a document names, because it loads no files.
import { expect, test } from 'vitest'
import { pages } from '../pages.tsx'

const resources = { nonce: '', token: '', challenge: '', styles: [], scripts: [], prefetchUrls: [] }
const content = {
  state: 'open' as const,
  path: '/booking/token',
  booking: { title: 'Site visit', when: 'Monday, 10:00 to 10:30', timezone_label: 'London, GMT', color: '#3B82F6' },
  owner_name: 'Larkfield Studio',
  cutoff: '',
  book_url: '',
  move_url: '',
  cancel_url: '',
  sends_mail: true,
}

test.each(['cancel', 'move'] as const)('the page to %s a booking says why its form was refused', (kind) => {
  const move = {
    link_id: 'link',
    booked_start: '',
    choice: {
      timezone: 'Europe/London',
      timezone_label: '',
      timezones: [],
      today: '2026-11-23',
      last_day: '2027-01-22',
      date: '2026-11-30',
      times: [],
      other_day: null,
      is_full: false,
      start_time: '',
    },
  }
  const problem = { message: 'This booking cannot be changed at the moment.', fields: {}, nearest: [] }
  const html = pages[kind === 'cancel' ? 'cancelBooking' : 'moveBooking']({ ...content, kind, move, problem }, resources)
  const page = new DOMParser().parseFromString(html, 'text/html')
  expect(page.querySelector('form [role=alert]')?.textContent).toBe(problem.message)
  expect(page.querySelector('meta[name=referrer]')).toBeNull() // the response has the referrer policy in a header
})

test('the page of a booking that has begun says so in its heading and its text', () => {
  const past = { ...content, kind: 'move' as const, state: 'past' as const, move: null, problem: null }
  const page = new DOMParser().parseFromString(pages.moveBooking(past, resources), 'text/html')
  expect(page.querySelector('.outcome')?.textContent).toBe('This booking cannot be changedIt has already begun or is over.')
})

test('the page of a booking that begins too soon to be changed says whom to contact', () => {
  const late = { ...content, kind: 'cancel' as const, state: 'late' as const, cutoff: '1 day', move: null, problem: null }
  const page = new DOMParser().parseFromString(pages.cancelBooking(late, resources), 'text/html')
  expect(page.querySelector('.outcome')?.textContent).toBe(
    'Too late to changeThis booking can be changed until 1 day before it begins. To change it now, contact Larkfield Studio.',
  )
})

test('the page that has moved a booking has the links to change it, and promises no mail if none is sent', () => {
  const urls = { move_url: '/m', cancel_url: '/c', sends_mail: false }
  const moved = { ...content, ...urls, kind: 'move' as const, state: 'done' as const, move: null, problem: null }
  const page = new DOMParser().parseFromString(pages.moveBooking(moved, resources), 'text/html')
  expect(page.querySelector('.outcome')?.textContent).toBe(
    'Booking movedYour new time is Monday, 10:00 to 10:30. No email is sent, so keep the links below if your plans may change.' +
      'Move it or cancel it',
  )
  expect([...page.querySelectorAll('.outcome a')].map((link) => link.getAttribute('href'))).toEqual(['/m', '/c'])
})
