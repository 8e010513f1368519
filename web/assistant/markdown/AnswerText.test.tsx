import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { makeAnswer, makeQuestion, assistantHandlers, quietDeals } from '../testing.ts'
import type { Reference } from '#contract/assistant.ts'
import { mockServer, renderApp, setWindowWidth } from '#web/testing.ts'
import { AnswerText } from './AnswerText.tsx'
import { noBlocks, splitBlocks } from './blocks.ts'

beforeEach(() => setWindowWidth(1280))

const findNothing = (text: string) => [text]
function renderText(text: string): Element {
  const { container } = render(<AnswerText text={text} findTitles={findNothing} isGrowing={false} />, { wrapper: MantineProvider })
  const element = container.querySelector(':scope > div') // beside it are the styles of Mantine
  if (!element) throw new Error('The text is not shown')
  return element
}

/** Opens a conversation whose answer has this text. */
async function openAnswer(content: string, records: readonly Reference[] = [], handlers: Parameters<typeof mockServer>[0] = {}) {
  const step = { at: 0, text: 'Read the records', count: null, kind: null, list: null, records: [...records], is_failed: false }
  mockServer({
    ...assistantHandlers,
    ...handlers,
    'GET /api/conversations/{id}/messages': { rows: [makeQuestion(), makeAnswer({ content, steps: [step] })], has_more: false },
  })
  const { router } = await renderApp(`/assistant/${quietDeals.id}`)
  const article = await screen.findByRole('article', { name: 'Assistant' })
  await waitFor(() => expect(article.textContent).not.toContain('](')) // until the code that reads Markdown is loaded
  return { router, article }
}

const id = '01930000-0000-7000-8000-0000000000b1'
const otherId = '01930000-0000-7000-8000-0000000000b9'

test('headings, lists, quotes, tables and code are shown', () => {
  const container = renderText(
    '# Deals\n\n1. one\n2. two\n   - inner\n\n> quoted\n\n| Deal | Value |\n|---|--:|\n| Lobby | £58,000 |\n\n```ts\nconst a = 1\n```\n\n- [x] done\n\n---\n\nTwo  \nlines &amp; **bold**',
  )
  expect(container.querySelector('h3')?.textContent).toBe('Deals')
  expect(container.querySelector('ol > li > ul > li')?.textContent).toBe('inner')
  expect(container.querySelector('blockquote')?.textContent).toBe('quoted')
  expect([...container.querySelectorAll('th')].map((cell) => [cell.textContent, cell.getAttribute('data-align')])).toEqual([
    ['Deal', null],
    ['Value', 'right'],
  ])
  expect(container.querySelector('tbody')?.textContent).toBe('Lobby£58,000')
  expect(container.querySelector('pre')?.textContent).toBe('const a = 1')
  expect(container.querySelector('[data-task]')?.textContent).toBe('☑ done')
  expect(container.querySelector('hr + p')?.innerHTML).toBe('Two<br>lines &amp; <strong>bold</strong>')
})

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  'text <b onclick="alert(1)">bold</b>',
  '<iframe src="https://evil.example"></iframe>\n\n<style>body{display:none}</style>',
  '<!-- hidden -->',
  '<a href="javascript:alert(1)">x</a>',
  '<svg><script>alert(1)</script></svg>',
])('the HTML %j is shown as text', (html) => {
  const container = renderText(html)
  expect(container.querySelector('script, img, iframe, style, svg, b, a')).toBeNull()
  expect(container.textContent).toContain(html.split('\n')[0])
})

test.each([
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](vbscript:msgbox(1))',
  '[x](file:///etc/passwd)',
  '[x](//evil.example)',
  '[x](/api/conversations)',
  '![x](data:image/png;base64,AAAA)',
  '[x][1]\n\n[1]: javascript:alert(1)',
])('the Markdown %j is not shown as a link or a picture', (markdown) => {
  expect(renderText(markdown).querySelector('a, img')).toBeNull()
})

test('a remote picture is not loaded, but shown as a link with its address', () => {
  const container = renderText('![chart](https://evil.example/p.png?d=secret)')
  expect(container.querySelector('img')).toBeNull()
  expect(container.textContent).toBe('chart (evil.example/p.png?d=secret)')
  expect(container.querySelector('a')?.getAttribute('href')).toBe('https://evil.example/p.png?d=secret')
})

test('a link to another website shows its address, and opens in a new tab without a referrer', () => {
  const container = renderText('See [your bank](https://evil.example/login) and https://foyer.example/help')
  expect(container.textContent).toBe('See your bank (evil.example/login) and https://foyer.example/help')
  for (const link of container.querySelectorAll('a')) {
    expect(link.rel).toBe('noopener noreferrer nofollow')
    expect(link.target).toBe('_blank')
  }
})

test('links to records and lists open their screens', async () => {
  const filter = JSON.stringify([{ field: 'stage', is: ['proposal'] }])
  const { router, article } = await openAnswer(
    `[Lobby seating](foyer:deal/${id}), [four deals](foyer:deals?search=oak&filter=${encodeURIComponent(filter)}), [more](foyer:deals?filter=${filter.replace(':', ': ')})`,
  )
  const [deal, list, withSpaces] = [...article.querySelectorAll('p a')]
  expect(deal?.getAttribute('href')).toBe(`/crm/deals/${id}`)
  const parameters = new URL(list?.getAttribute('href') ?? '', 'http://foyer.test')
  expect(parameters.pathname).toBe('/crm/deals')
  expect(Object.fromEntries(parameters.searchParams)).toEqual({ search: 'oak', filter })
  expect(new URL(withSpaces?.getAttribute('href') ?? '', 'http://foyer.test').searchParams.get('filter')).toBe(filter)
  fireEvent.click(deal ?? article)
  await waitFor(() => expect(router.state.location.pathname).toBe(`/crm/deals/${id}`))
})

test.each([
  'foyer:deal/1',
  'foyer:user/' + id,
  'foyer:deals?filter=nonsense',
  `foyer:deal/${id}/delete`,
  'foyer:notes',
  'foyer://evil.example',
])('the address %s does not become a link', async (address) => {
  const { article } = await openAnswer(`The [text](${address}) stays.`)
  expect(article.querySelector('p a')).toBeNull()
  expect(article.querySelector('p')?.textContent).toBe('The text stays.')
})

test('a link to a note opens the page of its contact', async () => {
  const note = { id, contact_id: otherId, content: 'Left', created_at: '2026-11-20T09:00:00.000Z', updated_at: '2026-11-20T09:00:00.000Z' }
  const { article } = await openAnswer(`Your [note](foyer:note/${id}) says so.`, [], { 'GET /api/notes/{id}': { ...note, version: 1 } })
  await waitFor(() => expect(article.querySelector('p a')?.getAttribute('href')).toBe(`/crm/contacts/${otherId}?tab=notes`))
})

test('the titles of the records that the assistant has read become links, but not a title that two records have', async () => {
  const deal = { kind: 'deal', id, title: 'Lobby seating (hall)' } as const
  const shorter = { kind: 'deal', id: id.replace(/1$/, '2'), title: 'Lobby' } as const
  const twice = { kind: 'contact', id: id.replace(/1$/, '3'), title: 'Ada' } as const
  const { article } = await openAnswer(
    'The deal **Lobby seating (hall)** and Lobby, not Lobbyist, for Ada. `Lobby` in code, [Lobby](https://lobby.example).',
    [deal, shorter, twice, { ...twice, id: id.replace(/1$/, '4') }],
  )
  const links = [...article.querySelectorAll('p a')].map((link) => [link.textContent, link.getAttribute('href')])
  expect(links).toEqual([
    ['Lobby seating (hall)', `/crm/deals/${id}`],
    ['Lobby', `/crm/deals/${shorter.id}`],
    ['Lobby', 'https://lobby.example'],
  ])
})

test('a text that grows piece by piece has the same blocks as the complete text', () => {
  const text =
    'Intro\n\n- one\n- two\n\n  still two\n\n1. first\n\n   ```js\n   code()\n   ```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nTitle\n=====\n\n> quote\nlazy\n\n```\nopen\n\nfence\n```\n\nEnd **bold**'
  for (const size of [1, 3, 7]) {
    let split = noBlocks
    for (let end = size; end < text.length + size; end += size) split = splitBlocks(text.slice(0, end), split)
    expect(split).toEqual(splitBlocks(text))
    expect(split.blocks.join('')).toBe(text)
  }
})

test('a block that is complete is not rendered again while the text grows', () => {
  const { container, rerender } = render(<AnswerText text={'First.\n\n'} findTitles={findNothing} isGrowing />)
  const show = (text: string) => rerender(<AnswerText text={text} findTitles={findNothing} isGrowing />)
  const first = container.querySelector('p')
  const words = first?.firstChild
  show('First.\n\nSecond.\n\nThird')
  show('First.\n\nSecond.\n\nThird and more')
  expect(container.querySelector('p')).toBe(first)
  expect(first?.firstChild).toBe(words)
  expect(container.textContent).toBe('First.Second.Third and more')
})

test.each([
  ['open emphasis', '*a '.repeat(16_000)],
  ['open brackets', '['.repeat(50_000)],
  ['open links', '[a]('.repeat(12_000)],
  ['nested quotes', '>'.repeat(50_000)],
  ['nested lists', '- '.repeat(25_000)],
  ['back quotes', '`a'.repeat(25_000)],
  ['underscores', '_'.repeat(50_000)],
  ['a table without end', `|${'a|'.repeat(10_000)}\n|${'-|'.repeat(10_000)}\n`],
  ['open emphasis in many lines', '*a\n'.repeat(16_000)],
  ['open brackets in many lines', '[a\n'.repeat(16_000)],
  ['list marks without a list', '- \n'.repeat(16_000)],
  ['tildes', '~~a'.repeat(16_000)],
  ['angle brackets', '<a '.repeat(16_000)],
  ['emphasis in long lines of one paragraph', `${'~a~~ '.repeat(50)}\n`.repeat(200)],
  ['emphasis in a table', `|a|\n|-|\n|${'~a~~ '.repeat(10_000)}|\n`],
  ['lists that are nested 800 levels deep', Array.from({ length: 800 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n')],
])('hostile text of 50,000 characters and more does not block the browser: %s', (_name, text) => {
  const container = renderText(text) // the test fails at its time limit if the time grows with the square of the length
  expect(container.textContent.trim().length).toBeGreaterThan(0)
  expect(container.querySelectorAll('*').length).toBeLessThan(40_000)
})
