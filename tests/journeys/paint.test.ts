// The first paint: the document shows a skeleton (the frame and placeholders) before any script runs, and contains the responses to the
// requests that the first screen sends.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { addContacts, signIn, signUp } from './accounts.ts'
import { findViolations } from './axe.ts'
import { collectConsoleErrors } from './browser.ts'
import { closeContexts, getBrowser, url } from './shared.ts'
import { measureFirstPaint } from './slowNetwork.ts'

/** A name that, unless it is escaped, ends the element with the responses; it also contains words that the document's template replaces. */
const hostileName = '</script><img src=x> NONCE $& <!-- skeleton -->'

let browser: Browser
let storageState: Awaited<ReturnType<BrowserContext['storageState']>>
beforeAll(async () => {
  browser = await getBrowser()
  await signUp(url)
  const page = await browser.newPage()
  await signIn(page.request, url)
  await addContacts(
    page,
    url,
    Array.from({ length: 30 }, (_, index) => ({
      first_name: `Ada ${index}`,
      last_name: 'Lovelace',
      email: `ada-${index}@larkfield.example`,
    })),
  )
  await addContacts(page, url, [{ first_name: hostileName, last_name: 'Lovelace' }])
  storageState = await page.context().storageState()
  await page.context().close()
})
afterAll(closeContexts)

type WindowOptions = Parameters<Browser['newContext']>[0]

/** Opens a page whose scripts and stylesheets never arrive, so that it stays as the document shows it. */
async function openWithoutScripts(path: string, options: WindowOptions = {}): Promise<Page> {
  const context = await browser.newContext({ storageState, ...options })
  const page = await context.newPage()
  await page.route('**/assets/*', () => new Promise(() => {}))
  await page.goto(url + path, { waitUntil: 'commit' })
  await page.locator('#skeleton').waitFor()
  return page
}

test('over a slow network the frame and the first row are shown soon, and the browser requests only files that the document names', async () => {
  const context = await browser.newContext({ storageState, viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  const first = await measureFirstPaint(page, `${url}/crm/contacts`)
  await page.close()
  const second = await measureFirstPaint(await context.newPage(), `${url}/crm/contacts`)
  await context.close()
  const bytes = first.requests.reduce((sum, { receivedBytes }) => sum + receivedBytes, 0)
  console.log(`first visit: frame ${first.frameMs} ms, row ${first.rowMs} ms, ${bytes} bytes; second visit: row ${second.rowMs} ms`)
  // the document names every file that the browser requested, and contains the responses of the API
  const document = await (await fetchSignedIn('/crm/contacts')).text()
  const unnamed = first.requests.filter(({ path }) => path !== '/crm/contacts' && !document.includes(path))
  expect(unnamed).toEqual([])
  // the network needs 0.8 s for two round trips and 4.4 s for 227,000 bytes
  expect(bytes).toBeLessThan(227_000)
  expect(first.layoutShift).toBeLessThan(0.02)
  expect(second.requests.filter(({ receivedBytes }) => receivedBytes > 0).map(({ path }) => path)).toEqual(['/crm/contacts'])
  // these limits are higher than the aims of 1.5, 6 and 2 s, because other tests use the machine at the same time
  expect(first.frameMs).toBeLessThan(3000)
  expect(first.rowMs).toBeLessThan(12_000)
  expect(second.rowMs).toBeLessThan(6000)
})

async function fetchSignedIn(path: string): Promise<Response> {
  const cookie = storageState.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  return fetch(url + path, { headers: { cookie } })
}

/** The parts of a page whose place must not change when the application replaces the skeleton. */
const landmarks = ['Dashboard', 'Trash', 'Sign Out', 'Foyer']

test.each([
  { width: 1280, height: 800 },
  { width: 900, height: 700 },
  { width: 390, height: 844 },
])(
  'at a width of $width px the skeleton has the labels around the page, the search field and the rows at their final places',
  async (viewport) => {
    const skeleton = await openWithoutScripts('/crm/contacts', { viewport })
    const placesBefore = await findPlaces(skeleton, '#skeleton')
    await skeleton.context().close()
    const context = await browser.newContext({ storageState, viewport })
    const page = await context.newPage()
    await page.goto(`${url}/crm/contacts`)
    await page.locator('tr[data-index]').first().waitFor()
    expect(await page.locator('#skeleton').count()).toBe(0)
    const placesAfter = await findPlaces(page, '#root')
    expect(Object.keys(placesBefore)).toEqual(Object.keys(placesAfter))
    // up to 2.5 px, because the skeleton has another font than the application, and so other line heights
    for (const [name, place] of Object.entries(placesAfter)) expect(Math.abs((placesBefore[name] ?? -100) - place), name).toBeLessThan(2.5)
    await context.close()
  },
)

/** Returns the positions (px) of the labels, the search field and two rows within the element `root`. Invisible labels are left out. */
async function findPlaces(page: Page, root: string): Promise<Record<string, number>> {
  await page.locator(root).getByText('Contacts', { exact: true }).first().waitFor({ state: 'attached' })
  return page.evaluate(
    ({ selector, labels }) => {
      const elements = [...document.querySelectorAll(`${selector} *`)]
      const places: Record<string, number> = {}
      for (const label of labels) {
        const element = elements.find(({ children, textContent }) => children.length === 0 && textContent === label)
        const { left, top, width } = element?.getBoundingClientRect() ?? new DOMRect()
        if (width > 0) Object.assign(places, { [`${label} left`]: left, [`${label} top`]: top })
      }
      const rows = document.querySelectorAll('tr[data-index], #skeleton [class*="rows"] > *')
      const search = document.querySelector('input[type=search], #skeleton [class*="tools"] > *')
      for (const [name, element] of Object.entries({ 'first row': rows[0], 'third row': rows[2], search }))
        places[name] = element?.getBoundingClientRect().top ?? -1
      return places
    },
    { selector: root, labels: landmarks },
  )
}

test('the skeleton is announced as loading, and nothing in it can be focused', async () => {
  const page = await openWithoutScripts('/crm/contacts')
  const errors = collectConsoleErrors(page)
  const status = page.getByRole('status', { name: 'Loading Contacts' })
  expect(await status.getAttribute('aria-busy')).toBe('true')
  expect(await page.title()).toBe('Contacts - Foyer')
  for (let press = 0; press < 5; press++) await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
  expect(await page.getByRole('link').count()).toBe(0)
  expect(await findViolations(page)).toEqual([])
  expect(errors).toEqual([])
  await page.context().close()
})

test('the skeleton has the colours of the system, or of the theme that the user has selected', async () => {
  const readBackground = (page: Page): Promise<string> =>
    page.evaluate(() => getComputedStyle(document.querySelector('#skeleton') ?? document.body).backgroundColor)
  const darkSystem = await openWithoutScripts('/crm/contacts', { colorScheme: 'dark' })
  expect(await readBackground(darkSystem)).toBe('rgb(22, 23, 24)') // the background of the dark theme
  const stateWithDarkTheme = {
    ...storageState,
    origins: [{ origin: url, localStorage: [{ name: 'mantine-color-scheme-value', value: 'dark' }] }],
  }
  const lightSystem = await openWithoutScripts('/crm/contacts', { colorScheme: 'light', storageState: stateWithDarkTheme })
  expect(await readBackground(lightSystem)).toBe('rgb(22, 23, 24)')
  await darkSystem.context().close()
  await lightSystem.context().close()
})

test.each(['/dashboard', '/files', '/crm/companies', '/crm/deals', '/crm/tasks', '/crm/contacts'])(
  '%s does not request the responses that its document contains, and its skeleton disappears',
  async (path) => {
    const context = await browser.newContext({ storageState })
    const page = await context.newPage()
    const errors = collectConsoleErrors(page)
    let requested: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (pathname.startsWith('/api/') && request.resourceType() === 'fetch') requested.push(pathname + search)
    })
    await page.route('**/api/events', (route) => route.abort())
    /** Opens the page and returns the addresses of the responses that its document contains. */
    const open = async (): Promise<string[]> => {
      requested = []
      const response = await page.goto(url + path)
      await page.locator('main').waitFor()
      await page.waitForLoadState('networkidle')
      const json = /id="first-responses">(.*?)<\/script>/s.exec((await response?.text()) ?? '')?.[1] ?? '{}'
      return Object.keys(JSON.parse(json))
    }
    let inlined: string[] = []
    // a server that is busy with other tests leaves out responses that need more than 250 ms
    await expect.poll(async () => (inlined = await open()).length, { timeout: 30_000 }).toBeGreaterThan(2)
    expect(await page.locator('#skeleton').count()).toBe(0)
    expect(inlined).toContain('/api/session')
    // two parts of a screen may show the same count: the first takes it from the document, the second requests it
    expect(requested.filter((address) => inlined.includes(address) && !address.includes('/count'))).toEqual([])
    expect(errors.filter((line) => !line.includes('/api/events'))).toEqual([])
    await context.close()
  },
)

test('a name with markup is shown unchanged when it comes from the responses in the document', async () => {
  const context = await browser.newContext({ storageState })
  const page = await context.newPage()
  const errors = collectConsoleErrors(page)
  await page.goto(`${url}/crm/contacts`)
  await page.getByText(`${hostileName} Lovelace`, { exact: true }).first().waitFor()
  expect(errors).toEqual([])
  await context.close()
})

test('a second tab shows a change that was made after its document and before its scripts were loaded', async () => {
  const context = await browser.newContext({ storageState })
  const firstTab = await context.newPage()
  await firstTab.goto(`${url}/crm/contacts`)
  await firstTab.locator('tr[data-index]').first().waitFor()
  const secondTab = await context.newPage()
  const released = Promise.withResolvers<void>()
  await secondTab.route('**/assets/*', async (route) => {
    await released.promise
    await route.continue()
  })
  await secondTab.goto(`${url}/crm/contacts`, { waitUntil: 'commit' })
  await secondTab.locator('#skeleton').waitFor()
  await addContacts(firstTab, url, [{ first_name: 'Late', last_name: 'Arrival' }])
  // the event of the change is sent before this; the second tab misses it, because its scripts are not loaded yet
  await firstTab.getByText('Late Arrival', { exact: true }).first().waitFor()
  released.resolve()
  await expect.poll(() => secondTab.getByText('Late Arrival', { exact: true }).count(), { timeout: 15_000 }).toBeGreaterThan(0)
  await context.close()
})

test('the keys that are typed after F, before the code of the filter is loaded, become the text of its field', async () => {
  const context = await browser.newContext({ storageState })
  const page = await context.newPage()
  const released = Promise.withResolvers<void>()
  let heldFiles = 0
  await page.route(/\/assets\/(overlays|floatingParts)/, async (route) => {
    heldFiles++
    await released.promise
    await route.continue()
  })
  await page.goto(`${url}/crm/contacts`)
  await page.locator('tr[data-index]').first().waitFor()
  await page.keyboard.press('f')
  await page.keyboard.type('dep')
  expect(await page.getByRole('button', { name: 'Filter', exact: true }).getAttribute('aria-expanded')).toBe('true')
  released.resolve()
  const field = page.getByRole('textbox', { name: 'Filter by' })
  await expect.poll(() => field.inputValue()).toBe('dep')
  expect(heldFiles).toBeGreaterThan(0)
  await context.close()
})

test('without a session, the address of a screen redirects to the sign-in page, whose document has no skeleton', async () => {
  const redirected = await fetch(`${url}/crm/contacts`, { redirect: 'manual' })
  expect([redirected.status, redirected.headers.get('location')]).toEqual([302, '/auth?next=%2Fcrm%2Fcontacts'])
  const signInPage = await (await fetch(`${url}/auth`)).text()
  expect(signInPage).not.toContain('skeleton"')
  expect(signInPage).not.toContain('first-responses')
})
