// Every screen is opened within the application on a desktop and on a phone: no screen scrolls sideways, and the console has no errors. Axe
// finds no violations in the light and dark theme; to save time, it checks each screen at only one width unless FOYER_FULL is set. Screens
// are also opened by their addresses, without axe, which is slow in a page that was just loaded.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { connectAi } from './ai.ts'
import { findViolations, themesAt } from './axe.ts'
import { collectConsoleErrors } from './browser.ts'
import { signIn, signUp } from './accounts.ts'
import { addSampleBookings, bookingScreens, type SampleBookings } from './sampleBookings.ts'
import { addSampleConversations } from './sampleConversations.ts'
import { addSampleImports, importScreens, type SampleImports } from './sampleImports.ts'
import { fileScreens } from './fileScreens.ts'
import { formScreens } from './formScreens.ts'
import { addSampleRecords, type SampleRecords } from './sampleRecords.ts'
import { addSampleWebhook, settingsScreens } from './sampleSettings.ts'
import type { Screen } from './screen.ts'
import { closeContexts, getBrowser, url } from './shared.ts'

let browser: Browser
let records: SampleRecords
let conversations: Awaited<ReturnType<typeof addSampleConversations>>
let imports: SampleImports
let bookings: SampleBookings
let webhook: string
let cookies: Awaited<ReturnType<BrowserContext['cookies']>>
beforeAll(async () => {
  browser = await getBrowser()
  await signUp(url)
  const context = await browser.newContext()
  const page = await context.newPage()
  await signIn(page.request, url)
  records = await addSampleRecords(page, url)
  conversations = await addSampleConversations(page.request, url, await connectAi(page.request, url), records.deal)
  imports = await addSampleImports(page.request, url)
  webhook = await addSampleWebhook(page.request, url)
  bookings = await addSampleBookings(page.request, url, records.contact)
  cookies = await context.cookies()
  await context.close()
})
afterAll(closeContexts)

const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name }).first().waitFor()
const screens: Record<string, Screen> = {
  landing: { path: () => '/', waitForContent: heading(/Where your/), isPublic: true },
  'not found': { path: () => '/nowhere', waitForContent: heading('Oops! Page not found'), isPublic: true },
  API: { path: () => '/api-docs#contacts', waitForContent: heading('Contacts'), isPublic: true },
  'sign in': { path: () => '/auth', waitForContent: heading('Welcome Back'), isPublic: true },
  'sign up': { path: () => '/auth?mode=sign-up', waitForContent: heading('Create Account'), isPublic: true },
  'forgotten password': {
    path: () => '/auth/forgot',
    waitForContent: (page) => page.getByRole('heading').first().waitFor(),
    isPublic: true,
  },
  dashboard: {
    path: () => '/dashboard',
    waitForContent: (page) => page.getByRole('link', { name: 'Send the drawings' }).first().waitFor(),
  },
  contacts: { path: () => '/crm/contacts', waitForContent: (page) => page.getByText('Imara Vantongeren').first().waitFor() },
  'nothing found': { path: () => '/crm/contacts?search=zzzz', waitForContent: (page) => page.getByText(/zzzz/).first().waitFor() },
  'choosing a filter': {
    opensOverlay: true,
    path: () => '/crm/contacts',
    waitForContent: async (page) => {
      await page.getByText('Imara Vantongeren').first().waitFor()
      await page.getByRole('button', { name: 'Filter', exact: true }).click()
      await page.getByRole('textbox', { name: 'Filter by' }).waitFor()
    },
  },
  palette: {
    opensOverlay: true,
    path: () => '/crm/contacts',
    waitForContent: async (page) => {
      await page.getByText('Imara Vantongeren').first().waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('quill')
      await page
        .getByRole('option', { name: /Quillstone Dental/ })
        .first()
        .waitFor()
    },
  },
  duplicates: {
    path: () => `/crm/contacts/duplicates?contact=${records.contact}&other=${records.longNamedContact}`,
    waitForContent: heading('Merge into one contact'),
  },
  'contact with attachments': {
    path: () => `/crm/contacts/${records.contact}`,
    waitForContent: (page) => page.getByRole('link', { name: 'Drawings of the waiting room.pdf' }).first().waitFor(),
  },
  'value edited in place': {
    path: () => `/crm/contacts/${records.contact}`,
    waitForContent: async (page) => {
      await page.getByRole('button', { name: /^Show \d+ empty fields?$/ }).click()
      await page.getByRole('button', { name: 'Edit address', exact: true }).focus()
      await page.keyboard.press('Enter')
      await page.getByLabel('Street').waitFor()
    },
  },
  'notes of a contact': {
    path: () => `/crm/contacts/${records.contact}?tab=notes`,
    waitForContent: (page) => page.getByText('Twelve seats, two of them high.').first().waitFor(),
  },
  'deals of a contact': {
    path: () => `/crm/contacts/${records.contact}?tab=deals`,
    waitForContent: (page) => page.getByText('Waiting room').first().waitFor(),
  },
  companies: {
    path: () => '/crm/companies',
    waitForContent: (page) => page.getByRole('link', { name: 'Quillstone Dental' }).first().waitFor(),
  },
  company: { path: () => `/crm/companies/${records.company}`, waitForContent: heading('Quillstone Dental') },
  'new company': { path: () => '/crm/companies/new', waitForContent: (page) => page.getByLabel('Name').first().waitFor() },
  deals: { path: () => '/crm/deals', waitForContent: (page) => page.getByRole('link', { name: /^Waiting room/ }).waitFor() },
  'deals as a list': {
    path: () => '/crm/deals?as=list',
    waitForContent: (page) => page.getByRole('link', { name: 'Waiting room' }).waitFor(),
  },
  deal: { path: () => `/crm/deals/${records.deal}`, waitForContent: heading('Waiting room') },
  'edit deal': {
    path: () => `/crm/deals/${records.deal}/edit`,
    waitForContent: (page) => page.getByRole('textbox', { name: 'Title' }).waitFor(),
  },
  'a long name': { path: () => `/crm/contacts/${records.longNamedContact}`, waitForContent: heading(/Wolfeschlegel/) },
  'edit contact': {
    path: () => `/crm/contacts/edit/${records.contact}`,
    waitForContent: (page) => page.getByLabel('First name').waitFor(),
  },
  'new contact': { path: () => '/crm/contacts/new', waitForContent: (page) => page.getByLabel('First name').waitFor() },
  tasks: { path: () => '/crm/tasks', waitForContent: (page) => page.getByRole('link', { name: 'Send the drawings' }).waitFor() },
  'upcoming tasks': { path: () => '/crm/tasks?view=upcoming', waitForContent: heading('Nothing is planned') },
  task: { path: () => `/crm/tasks/${records.task}`, waitForContent: heading('Send the drawings') },
  'edit task': {
    path: () => `/crm/tasks/${records.task}/edit`,
    waitForContent: (page) => page.getByRole('textbox', { name: 'Title' }).waitFor(),
  },
  'CRM integration': { path: () => '/crm', waitForContent: (page) => page.getByText('No CRM is connected yet.').waitFor() },
  ...settingsScreens(() => webhook),
  ...formScreens(() => records.form),
  ...fileScreens(() => records),
  assistant: {
    path: () => '/assistant',
    waitForContent: (page) => page.getByRole('list', { name: 'Examples' }).getByRole('button').first().waitFor(),
  },
  conversation: {
    path: () => `/assistant/${conversations.conversation}`,
    waitForContent: (page) => page.getByRole('button', { name: 'Download plan.txt' }).waitFor(),
  },
  'proposed changes': {
    path: () => `/assistant/${conversations.proposal}`,
    waitForContent: (page) => page.getByRole('button', { name: 'Apply 3 changes' }).waitFor(),
  },
  ...importScreens(() => imports),
  ...bookingScreens(() => bookings),
  account: { path: () => '/account', waitForContent: heading('Account') },
  trash: { path: () => '/trash', waitForContent: (page) => page.getByText('Bastian Ollerquist').first().waitFor() },
}
/** The screens that are also opened by their addresses: all if FOYER_FULL is set, otherwise every third, to save time. */
const screensByAddress = Object.entries(screens)
  .filter(([, { isPublic, opensOverlay }]) => !isPublic && !opensOverlay)
  .filter((_, index) => process.env['FOYER_FULL'] === '1' || index % 3 === 0)

/** The themes in which axe checks a screen at a width: all if FOYER_FULL is set, otherwise one theme at one of the widths. */
const themesOfScreen = (index: number, width: number): ('light' | 'dark')[] =>
  process.env['FOYER_FULL'] === '1' || (index % 2 === 0) === (width === 1280) ? themesAt(width) : []

describe.each([1280, 390])('at %i px', (width) => {
  let application: Page
  let website: Page
  beforeAll(async () => {
    const open = async (): Promise<Page> =>
      (await browser.newContext({ viewport: { width, height: 800 }, colorScheme: 'light', reducedMotion: 'reduce' })).newPage()
    ;[application, website] = await Promise.all([open(), open()])
    await application.context().addCookies(cookies)
    await application.goto(`${url}/crm/companies`)
  })
  afterAll(async () => {
    await Promise.all([application.context().close(), website.context().close()])
  })

  const cases = Object.entries(screens).map(([name, screen], index) => ({ name, ...screen, themes: themesOfScreen(index, width) }))
  test.each(cases)(
    'the screen "$name" has no accessibility violations, console errors or sideways scrolling',
    async ({ name, path, waitForContent, isPublic, opensOverlay, themes }) => {
      const page = isPublic ? website : application
      const consoleErrors = collectConsoleErrors(page)
      await (isPublic ? page.goto(url + path()) : navigateWithin(page, path()))
      if (opensOverlay) onTestFinished(() => closeOverlay(page))
      await waitForContent(page)
      for (const theme of themes) {
        await setTheme(page, theme)
        const violations = await findViolations(page)
        expect(violations.map((violation) => `${theme}, ${violation}`)).toEqual([])
      }
      await expectNoSidewaysScrolling(page)
      expect(consoleErrors.filter((line) => !(name === 'not found' && line.includes('404')))).toEqual([])
    },
  )
})

describe('opened by its address', () => {
  let page: Page
  beforeAll(async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    await context.addCookies(cookies)
    page = await context.newPage()
  })
  afterAll(() => page?.context().close())

  test.each(screensByAddress)('the screen "%s" has no console errors or sideways scrolling', async (_name, { path, waitForContent }) => {
    const consoleErrors = collectConsoleErrors(page)
    await page.goto(url + path())
    await waitForContent(page)
    await expectNoSidewaysScrolling(page)
    expect(consoleErrors).toEqual([])
  })
})

async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
}

/** Closes the dialog or the popover of a screen, which would stay open over the next screen. */
async function closeOverlay(page: Page): Promise<void> {
  const pressEscape = async (): Promise<number> => {
    await page.keyboard.press('Escape')
    return page.getByRole('dialog').count()
  }
  await expect.poll(pressEscape).toBe(0)
}

/** Opens a path without reloading the page. It first opens an unknown path, so that the previous screen is surely gone. */
async function navigateWithin(page: Page, path: string): Promise<void> {
  await page.evaluate(() => history.pushState(null, '', '/crm/nothing-here'))
  await page.getByText('Oops! Page not found').waitFor()
  await page.evaluate((to) => history.pushState(null, '', to), path)
}

/** Changes the operating system's theme for the page. */
async function setTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  await page.waitForFunction((name) => {
    const { mantineColorScheme } = document.documentElement.dataset
    return mantineColorScheme === undefined || mantineColorScheme === name // public pages do not have the attribute
  }, theme)
}

test('the landing page redirects a signed-in user to the dashboard', async () => {
  const context = await browser.newContext()
  await context.addCookies(cookies)
  const page = await context.newPage()
  await page.goto(url)
  expect(page.url()).toBe(`${url}/dashboard`)
  await context.close()
})
