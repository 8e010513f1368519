// @vitest-environment-options { "settings": { "handleDisabledFileLoadingAsSuccess": true } }
// Without this option happy-dom reports an error for each file that a document names, because it loads no files.
import { expect, test } from 'vitest'
import type { StopWaitingContent } from '#contract/pages.ts'
import { pages } from '../pages.tsx'

const resources = { nonce: '', token: '', challenge: '', styles: [], scripts: [], prefetchUrls: [] }
const shared = { title: 'Site visit', owner_name: 'Larkfield Studio', color: '#3B82F6' }
const open = {
  ...shared,
  kind: 'open' as const,
  path: '/stop',
  link_id: 'link',
  when: 'on Monday, 30 November 2026',
  days: ['Monday, 30 November 2026'],
  problem: '',
}
const stopped = { ...shared, kind: 'stopped' as const, book_url: '/book/site-visit' }
const render = (content: StopWaitingContent): Document =>
  new DOMParser().parseFromString(pages.stopWaiting(content, resources), 'text/html')
const textOf = (page: Document, selector: string) => page.querySelector(selector)?.textContent

test('the page says what the button will do, with the days', () => {
  const page = render({ ...open, stops_all: false })
  expect(textOf(page, 'form')).toContain('You will get no more emails about free times on Monday, 30 November 2026.')
  expect(page.querySelector<HTMLInputElement>('[name=link_id]')?.value).toBe('link')
  expect(page.querySelector('meta[name=referrer]')).toBeNull() // the response has the referrer policy in a header
  expect(textOf(render({ ...open, stops_all: true }), 'form')).toContain(
    'You will get no more emails about free times of Larkfield Studio on Monday, 30 November 2026, or on any other day, unless your email is entered again.',
  )
})

test.each([
  [{ stops_all: false, is_done: true }, /^You have stopped waitingYou will get no more emails/],
  [{ stops_all: true, is_done: true }, /^These emails are stoppedYou will get no more emails about free times of Larkfield Studio,/],
  [{ stops_all: false, is_done: false }, /^You are not waitingYou have stopped waiting before, /],
  [{ stops_all: true, is_done: false }, /^You are not waitingYour email is not on the waiting list for free times of Larkfield Studio, /],
])('the page says whether the button has stopped something: %o', (changes, text) => {
  const page = render({ ...stopped, ...changes })
  expect(textOf(page, '.outcome')).toMatch(text)
  expect([textOf(page, 'h1'), textOf(page, '.owner'), page.querySelector('.outcome a')?.getAttribute('href')]).toEqual([
    'Site visit',
    'LSLarkfield Studio', // the initials, and then the name
    '/book/site-visit',
  ])
  expect(render({ ...stopped, ...changes, book_url: '' }).querySelector('.outcome a')).toBeNull()
})

test('the footer does not say "Booked with Foyer", because nothing was booked', () => {
  for (const content of [{ kind: 'unknown' }, { ...open, stops_all: false }, { ...stopped, stops_all: true, is_done: true }] as const)
    expect(textOf(render(content), '.footer')).toBe('Foyer')
})

test('the page of a link that is not valid says which link to open', () => {
  expect(textOf(render({ kind: 'unknown' }), 'section')).toBe(
    'This link is not validOpen the whole link from the email, or from the page on which you joined the waiting list.',
  )
})
