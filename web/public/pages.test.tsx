// @vitest-environment-options { "settings": { "handleDisabledFileLoadingAsSuccess": true } }
// Without this option happy-dom reports an error for each file that a document names, because it loads no files.
import { describe, expect, test, vi } from 'vitest'
import { liveFeatures as currentFeatures, type FeatureName } from '#contract/liveFeatures.ts'
import { logo } from '#web/brand/drawings.ts'
import { icons } from './landing/Icon.tsx'
import { pages } from './pages.tsx'

/** The nonce and the file names that the server passes to every page. */
const resources = {
  nonce: 'n0nce',
  token: '',
  challenge: '',
  styles: ['/assets/landing.css'],
  scripts: ['/assets/landing.js'],
  prefetchUrls: ['/assets/a.js', '/assets/b.css'],
}
const landing = parseHtml(pages.landing({ year: 2031, address: 'https://foyer.example' }, resources))
const notFound = parseHtml(pages.notFound(null, { ...resources, scripts: [], prefetchUrls: [] }))

describe.each([
  ['landing page', landing, 'Where your business meets its customers'],
  ['not-found page', notFound, 'Oops! Page not found'],
])('%s', (_name, page, heading) => {
  test('the page has one h1, one main element and a skip link', () => {
    expect(getTexts(page, 'h1')).toEqual([heading])
    expect(page.querySelectorAll('main')).toHaveLength(1)
    expect(page.querySelector('body > a')?.getAttribute('href')).toBe('#content')
    expect(page.querySelector('main')?.id).toBe('content')
  })

  test('the page follows the content security policy: has no style attribute and no inline script without the nonce', () => {
    expect(page.querySelectorAll('[style], style')).toHaveLength(0)
    expect(page.querySelectorAll('script:not([src]):not([nonce="n0nce"])')).toHaveLength(0)
    expect(page.querySelectorAll('link[rel=stylesheet][href="/assets/landing.css"]')).toHaveLength(1)
  })

  test('the page shows the logo in the header and as the icon of the browser tab', () => {
    const icon = decodeURIComponent(page.querySelector('link[rel=icon]')?.getAttribute('href') ?? '')
    expect(icon).toMatch(/^data:image\/svg\+xml,<svg /)
    for (const shape of [logo.frame, logo.door]) {
      expect(icon).toContain(`d="${shape}"`)
      expect(page.querySelector(`header svg path[d="${shape}"]`)).not.toBeNull()
    }
  })

  test('the page hides every svg from screen readers', () => {
    expect(page.querySelectorAll('svg').length).toBeGreaterThan(1)
    expect(page.querySelectorAll('svg:not([aria-hidden=true])')).toHaveLength(0)
  })
})

test('the landing page links its buttons to sign-in and sign-up', () => {
  expect(getLinks(landing)).toMatchObject({
    'Sign In': '/auth',
    'Get Started': '/auth?mode=sign-up',
    'Start Free': '/auth?mode=sign-up',
    'Create Free Account': '/auth?mode=sign-up',
    'See what it does': '#features',
  })
  expect(landing.querySelectorAll('#features')).toHaveLength(1)
})

test('the landing page shows the six features', () => {
  expect(getTexts(landing, '#features h3')).toEqual([
    'AI-Powered CRM',
    'AI Chat Assistant',
    'Deal Pipeline Management',
    'Contact Management',
    'Email Automation',
    'CRM Integrations',
  ])
})

test('the landing page draws every icon without the invisible frame of its file', () => {
  const drawings = [...landing.querySelectorAll('svg.icon path')].map((path) => path.getAttribute('d'))
  expect(drawings).toHaveLength(6)
  expect(drawings.filter((lines) => !lines?.startsWith('M') || lines.startsWith('M0 0h24'))).toEqual([])
})

test('the landing page has icons whose lines can be joined to one path, because each line begins at an absolute position', () => {
  const relativeStart = / d="m/ // a lower-case m
  for (const icon of Object.values(icons)) expect(icon).not.toMatch(relativeStart)
})

test('the landing page contains the year and the address that the server passes', () => {
  expect(landing.querySelector('footer')?.textContent).toContain('© 2031 Foyer')
  expect(landing.querySelector('link[rel=canonical]')?.getAttribute('href')).toBe('https://foyer.example/')
  expect(landing.querySelector('meta[property="og:url"]')?.getAttribute('content')).toBe('https://foyer.example/')
})

test('the landing page has structured data for search engines with a price of 0 and without a rating', () => {
  const data: unknown = JSON.parse(landing.querySelector('script[type="application/ld+json"]')?.textContent ?? '')
  expect(data).toMatchObject({
    '@type': 'SoftwareApplication',
    name: 'Foyer',
    url: 'https://foyer.example/',
    offers: { '@type': 'Offer', price: '0', priceCurrency: 'USD' },
  })
  expect(JSON.stringify(data)).not.toMatch(/aggregateRating|review/i)
})

test('the landing page shows a picture of the board for each theme and window width, and sets its size before it is loaded', () => {
  const picture = landing.querySelector('picture')
  expect([...(picture?.querySelectorAll('source') ?? [])].map((source) => source.getAttribute('media'))).toEqual([
    '(max-width: 767px) and (prefers-color-scheme: dark)',
    '(max-width: 767px)',
    '(prefers-color-scheme: dark)',
  ])
  expect(picture?.querySelectorAll(':is(source[srcset], img[src])[width][height]')).toHaveLength(4)
  expect(picture?.querySelector('img')?.alt).toMatch(/deals board/)
})

test('the landing page lists the files to prefetch', () => {
  expect(landing.body.dataset['prefetch']).toBe('/assets/a.js /assets/b.css')
})

describe('features that are not live', () => {
  const everything: FeatureName[] = [
    'contacts',
    'deals',
    'tasks',
    'files',
    'bookings',
    'leadForms',
    'email',
    'assistant',
    'imports',
    'crmSync',
    'chatbot',
    'whatsapp',
  ]
  const crm: FeatureName[] = ['contacts', 'deals', 'tasks', 'files']

  test.each([
    // the product always has live features; without any, the introduction lacks its first words
    { live: [], soon: 6, parts: '', coming: 'contacts, deals, tasks, bookings, lead forms, files, email and an AI assistant' },
    { live: crm, soon: 4, parts: 'Contacts, deals, tasks and files', coming: 'bookings, lead forms, email and an AI assistant' },
    {
      live: [...crm, 'assistant'] as const,
      soon: 3,
      parts: 'Contacts, deals, tasks, files and an AI assistant',
      coming: 'bookings, lead forms and email',
    },
    { live: everything, soon: 0, parts: 'Contacts, deals, tasks, bookings, lead forms, files, email and an AI assistant', coming: '' },
  ])('$soon cards say Soon, and the introduction names what is live: $parts', async ({ live, soon, parts, coming }) => {
    const page = await renderLandingWith(live)
    expect(page.querySelectorAll('#features .soon')).toHaveLength(soon)
    const introduction = page.querySelector('h1 + p')?.textContent ?? ''
    expect(introduction.startsWith(`${parts} in one workspace`)).toBe(true)
    expect(introduction.endsWith(coming ? `Soon: ${coming}.` : 'nothing held back.')).toBe(true)
    expect(page.querySelector('meta[name=description]')?.getAttribute('content')).toBe(
      `${parts} in one free workspace that runs on your own server.`,
    )
  })

  test('only the cards of features that are not live say Soon', async () => {
    const page = await renderLandingWith([...crm, 'email'])
    expect(getSoonCards(page)).toEqual(['AI-Powered CRM', 'AI Chat Assistant', 'CRM Integrations'])
    expect(getTexts(page, '.soon')).toEqual(['Soon', 'Soon', 'Soon'])
    const data = page.querySelector('script[type="application/ld+json"]')?.textContent ?? ''
    expect(JSON.parse(data)).toMatchObject({ featureList: ['Deal Pipeline Management', 'Contact Management', 'Email Automation'] })
  })

  test('a card that needs two features says Soon until both are live', async () => {
    expect(getSoonCards(await renderLandingWith([...crm, 'assistant']))).toContain('AI-Powered CRM')
    expect(getSoonCards(await renderLandingWith([...crm, 'imports']))).toContain('AI-Powered CRM')
    expect(getSoonCards(await renderLandingWith([...crm, 'assistant', 'imports']))).not.toContain('AI-Powered CRM')
  })

  test('the invitation to sign up names imports and booking links only when they are live', async () => {
    expect((await renderLandingWith(crm)).querySelector('.call')?.textContent).not.toMatch(/booking|contact list/)
    expect((await renderLandingWith(everything)).querySelector('.call')?.textContent).toMatch(/contact list, share a booking link/)
  })

  test('apart from the cards that say Soon and the text after “Soon:”, the page promises no feature that is not live', () => {
    const page = parseHtml(`<!doctype html>${landing.documentElement.outerHTML}`)
    for (const card of page.querySelectorAll('#features li:has(.soon)')) card.remove()
    const promises = page.documentElement.outerHTML.replace(/Soon: [^.]+\./, '')
    const words: Partial<Record<FeatureName, RegExp>> = {
      assistant: /\bAI\b|assistant/i,
      bookings: /booking/i,
      leadForms: /lead form/i,
      email: /email/i,
      imports: /import/i,
      whatsapp: /WhatsApp/i,
      chatbot: /chatbot/i,
    }
    const promisedTooEarly = Object.entries(words).filter(([name, word]) => !isLiveFeature(name) && word.test(promises))
    expect(promisedTooEarly).toEqual([])
  })
})

test('the not-found page links to the landing page and is not indexed by search engines', () => {
  expect(getLinks(notFound)).toMatchObject({ 'Back to home': '/' })
  expect(notFound.querySelector('meta[name=robots]')?.getAttribute('content')).toBe('noindex')
  expect(notFound.body.dataset['prefetch']).toBeUndefined()
})

function parseHtml(html: string): Document {
  expect(html).toMatch(/^<!doctype html>/)
  return new DOMParser().parseFromString(html, 'text/html')
}

function getTexts(page: Document, selector: string): (string | null)[] {
  return [...page.querySelectorAll(selector)].map(({ textContent }) => textContent)
}

/** Returns the addresses of the links by their texts. */
function getLinks(page: Document): Record<string, string | null> {
  return Object.fromEntries([...page.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')]))
}

const isLiveFeature = (name: string): boolean => new Map<string, boolean>(Object.entries(currentFeatures)).get(name) ?? false

/** Renders the landing page as it would be if these features were live, and no others. */
async function renderLandingWith(live: readonly FeatureName[]): Promise<Document> {
  vi.resetModules()
  const { liveFeatures } = await import('#contract/liveFeatures.ts')
  for (const name of Object.keys(liveFeatures)) Object.assign(liveFeatures, { [name]: false })
  for (const name of live) liveFeatures[name] = true
  const module = await import('./pages.tsx')
  return parseHtml(module.pages.landing({ year: 2031, address: 'https://foyer.example' }, resources))
}

const getSoonCards = (page: Document): (string | null)[] => getTexts(page, '#features li:has(.soon) h3')

test('the page about the API shows each route with its scopes, its fields and a command', () => {
  const field = { name: 'name', type: 'text', isRequired: true }
  const route = {
    id: 'post-api-deals',
    method: 'POST',
    path: '/api/deals',
    summary: 'Add a deal',
    scopes: ['write'],
    parameters: [],
    body: [field],
    response: 'Status 201 and JSON',
    responseFields: [field],
    errors: [{ code: 'duplicate', status: 409, sentence: 'This seems to be here already.' }],
    command: "curl -X POST '<script>'",
  }
  const content = { origin: 'https://foyer.example', leadCommand: 'curl', groups: [{ id: 'deals', title: 'Deals', routes: [route] }] }
  const page = parseHtml(pages.apiDocs({ ...content, errors: [], events: ['deal.created'], webhook: '{}', mcp: '{}' }, resources))
  expect(getTexts(page, 'h1')).toEqual(['API'])
  expect(page.querySelector('#post-api-deals')?.textContent).toMatch(
    /POST \/api\/dealsAdd a deal.*Needs the scope write\..*name text required.*curl -X POST '<script>'.*409 duplicate/,
  )
  expect(page.querySelectorAll('[style], style, script:not([src])')).toHaveLength(0)
})
