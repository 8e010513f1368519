import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { RichText } from './RichText.tsx'

const renderText = (text: string): HTMLElement => render(<RichText text={text} />).container

test.each([
  'Survey done.\nThe wall is not straight.',
  'Two lines:\n\n\n  three lines below, and indented',
  '    four spaces\n\tand a tab',
  '1. October: call back',
  '- Ada',
  '2026. A good year.\nNothing else.',
  '# 4 is the front door\n#4 too',
  'Order\n=====\n-----Original message-----\n***',
  '> quoted from a mail',
  '5*3*2 = 30, 2 * 3, *) a footnote',
  'file_name_here, Name: ____ Date: ____',
  'between ~5 and ~10 people',
  '<b>bold</b> <script>alert(1)</script> &amp; &lt;',
  'C:\\*\\_temp\\ and \\\\server\\share',
  '[x] done, [ ] open, [see below]\n\n[see below]: https//nothing',
  '```\n- code\n```',
  'a | b\n--|--\n1 | 2',
  '+ 5 %\n+ 6 %',
])('the plain text %j looks as it was typed', (text) => {
  const container = renderText(text)
  expect(container.textContent).toBe(text)
  // the text is one paragraph without further elements
  expect([...container.querySelectorAll('.text *, [dir] *')].map(({ tagName }) => tagName)).toEqual(['P'])
})

test('lists are shown as lists, with the numbers that were typed, and the text around them stays', () => {
  const container = renderText('Wants:\n- oak\n- ash\nBy Friday.\n\n3. measure\n   twice\n7. cut')
  const [wants, byFriday] = container.querySelectorAll('[dir] > p')
  expect(wants?.textContent).toBe('Wants:\n')
  expect(byFriday?.textContent).toBe('By Friday.\n\n')
  expect([...container.querySelectorAll('ul > li')].map((item) => item.textContent)).toEqual(['oak', 'ash'])
  const numbered = [...container.querySelectorAll('ol > li')]
  expect(numbered.map((item) => [item.getAttribute('value'), item.textContent])).toEqual([
    ['3', 'measure\ntwice'],
    ['7', 'cut'],
  ])
})

test('a list in an item is nested, and check boxes are shown', () => {
  const container = renderText('- kitchen\n  - oak\n- [x] hall\n- [ ] stairs')
  expect(container.querySelector('ul > li > ul > li')?.textContent).toBe('oak')
  const markers = [...container.querySelectorAll('[dir] > ul > li')].map((item) => item.getAttribute('style') ?? '')
  expect(markers[0]).toBe('')
  expect(markers[1]).toContain('☑')
  expect(markers[2]).toContain('☐')
})

test('emphasis is shown, without its marks', () => {
  const container = renderText('**very** *important*, _really_, ~~not~~ `npm test`')
  expect(container.textContent).toBe('very important, really, not npm test')
  expect([...container.querySelectorAll('p > *')].map(({ tagName, textContent }) => `${tagName} ${textContent}`)).toEqual([
    'STRONG very',
    'EM important',
    'EM really',
    'DEL not',
    'CODE npm test',
  ])
})

test('addresses become links; a website opens in a new tab and is not told where the user comes from', () => {
  const container = renderText('See https://example.com/a_b?c=*d*e, www.example.org or <ada@example.com>.')
  expect(container.textContent).toBe('See https://example.com/a_b?c=*d*e, www.example.org or <ada@example.com>.')
  const links = [...container.querySelectorAll('a')]
  expect(links.map((link) => [link.getAttribute('href'), link.target, link.rel])).toEqual([
    ['https://example.com/a_b?c=*d*e', '_blank', 'noopener noreferrer nofollow'],
    ['http://www.example.org', '_blank', 'noopener noreferrer nofollow'],
    ['mailto:ada@example.com', '', 'noopener noreferrer nofollow'],
  ])
})

test('a link with another text shows its address', () => {
  const container = renderText('[our **offer**](https://example.com/offer/), [call](tel:+442079460118), [example.com](https://example.com)')
  expect(container.textContent).toBe('our offer (example.com/offer), call (+442079460118), example.com')
  expect(container.querySelector('a strong')?.textContent).toBe('offer')
})

test('pictures are not loaded, but linked', () => {
  const container = renderText(
    '![the *plan*](https://example.com/plan.png) and [![logo](https://example.com/logo.png)](https://example.com)',
  )
  expect(container.querySelector('img')).toBeNull()
  expect([...container.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([
    'https://example.com/plan.png',
    'https://example.com',
  ])
  expect(container.textContent).toContain('the plan (example.com/plan.png)')
})

test.each([
  '[x](javascript:alert(1))',
  '[x](java\tscript:alert(1))',
  '[x](data:text/html,x)',
  '[x](/crm/contacts)',
  'ftp://example.com/x',
  '<javascript:alert(1)>',
])('%j is no link', (text) => {
  const container = renderText(text)
  expect(container.querySelector('a')).toBeNull()
  expect(container.textContent).toBe(text)
})

test('a text with thousands of nested parts is shown as it was typed', () => {
  for (const part of ['- ', '> ', '**a _b ', '[', '![', '(', '`', '<']) {
    const text = part.repeat(Math.floor(20_000 / part.length)).trim()
    expect(renderText(text).textContent).toBe(text)
  }
})

test('a long text with thousands of marks of emphasis does not block the browser', () => {
  const text = `${'~~a~ '.repeat(50)}\n`.repeat(400).trim() // the test fails at its time limit if every mark is tried
  expect(renderText(text).textContent).toBe(text)
})
