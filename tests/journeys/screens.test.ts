// Every screen is opened on a desktop (by its address) and on a phone (by a link within the application), in the light and dark theme. axe
// finds no violations, no screen scrolls sideways, and the console has no errors.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { findViolations } from './axe.ts'
import { collectConsoleErrors } from './browser.ts'
import { addContacts, signIn, signUp } from './accounts.ts'
import { uploadFile } from './files.ts'
import { makePdf } from './pdf.ts'
import { connectToBrowser, url } from './shared.ts'

let browser: Browser
let ids: string[]
let company: string
let deal: string
let task: string
let folder: string
let emptyFolder: string
let pdf: string
let table: string
let cookies: Awaited<ReturnType<BrowserContext['cookies']>>
beforeAll(async () => {
  browser = await connectToBrowser()
  await signUp(url)
  const context = await browser.newContext()
  const page = await context.newPage()
  await signIn(page, url)
  ids = await addContacts(page, url, [
    {
      first_name: 'Imara',
      last_name: 'Vantongeren',
      email: 'imara@quillstone.example',
      phone: '+44 20 7946 0118',
      company: 'Quillstone Dental',
    },
    {
      first_name: 'Wolfeschlegelsteinhausenbergerdorff'.repeat(2),
      last_name: 'Haldane-Osei',
      company: 'A company with a name that goes on and on and on',
    },
    { first_name: 'Bastian', last_name: 'Ollerquist' },
  ])
  await page.request.delete(`${url}/api/contacts/${ids[2]}`, { headers: { origin: url } })
  const add = async (path: string, data: object): Promise<string> => {
    const response = await page.request.post(`${url}${path}`, { headers: { origin: url }, data })
    return (await response.json()).id
  }
  company = await add('/api/companies', {
    name: 'Quillstone Dental',
    industry: 'Health',
    website: 'https://quillstone.example',
    tags: ['VIP'],
  })
  deal = await add('/api/deals', { title: 'Waiting room', value: 26_400.5, stage: 'proposal', contact_id: ids[0], company_id: company })
  task = await add('/api/tasks', { title: 'Send the drawings', due_date: '2026-01-02', contact_id: ids[0], deal_id: deal })
  await add('/api/notes', { contact_id: ids[0], content: 'Twelve seats, two of them high.' })
  folder = await add('/api/folders', { name: 'Quillstone Dental' })
  emptyFolder = await add('/api/folders', { name: 'A folder with a name that goes on and on and on', parent_folder_id: folder })
  for (const name of ['Site access and alarm.txt', `${'unbreakable'.repeat(12)}.pptx`])
    await uploadFile(page.request, url, { file_name: name, folder_id: folder }, Buffer.from('The alarm is beside the door.'))
  await add('/functions/v1/upload-to-s3', {
    fileName: 'Drawings of the waiting room.pdf',
    fileSize: 5,
    mimeType: 'application/pdf',
    contactId: ids[0],
    fileData: 'SGVsbG8=',
  })
  const pages = [['The desk is made in two parts.'], ['Towards the entrance there is a lowered section.']]
  pdf = await uploadFile(page.request, url, { file_name: 'quillstone-quote-and-drawings.pdf' }, makePdf(pages))
  table = await uploadFile(page.request, url, { file_name: 'prices.csv' }, Buffer.from('Part,Price\nDesk,7900\n'))
  cookies = await context.cookies()
  await context.close()
})
afterAll(() => browser?.close())

type Screen = {
  path: () => string
  /** Waits until the screen shows its content. */
  waitForContent: (page: Page) => Promise<unknown>
  /** Whether the screen is for visitors who are not signed in. */
  isPublic?: boolean
  /** Whether `waitForContent` opens a popover or a dialog, which would stay open over the next screen. */
  opensOverlay?: boolean
}
const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name }).first().waitFor()
const screens: Record<string, Screen> = {
  landing: { path: () => '/', waitForContent: heading(/Where your/), isPublic: true },
  'not found': { path: () => '/nowhere', waitForContent: heading('Oops! Page not found'), isPublic: true },
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
  'contact with attachments': {
    path: () => `/crm/contacts/${ids[0]}`,
    waitForContent: (page) => page.getByRole('link', { name: 'Drawings of the waiting room.pdf' }).first().waitFor(),
  },
  'value edited in place': {
    path: () => `/crm/contacts/${ids[0]}`,
    waitForContent: async (page) => {
      await page.getByRole('button', { name: /^Show \d+ empty fields?$/ }).click()
      await page.getByRole('button', { name: 'Edit address', exact: true }).focus()
      await page.keyboard.press('Enter')
      await page.getByLabel('Street').waitFor()
    },
  },
  'notes of a contact': {
    path: () => `/crm/contacts/${ids[0]}?tab=notes`,
    waitForContent: (page) => page.getByText('Twelve seats, two of them high.').first().waitFor(),
  },
  'deals of a contact': {
    path: () => `/crm/contacts/${ids[0]}?tab=deals`,
    waitForContent: (page) => page.getByText('Waiting room').first().waitFor(),
  },
  companies: {
    path: () => '/crm/companies',
    waitForContent: (page) => page.getByRole('link', { name: 'Quillstone Dental' }).first().waitFor(),
  },
  company: { path: () => `/crm/companies/${company}`, waitForContent: heading('Quillstone Dental') },
  'new company': { path: () => '/crm/companies/new', waitForContent: (page) => page.getByLabel('Name').first().waitFor() },
  deals: { path: () => '/crm/deals', waitForContent: (page) => page.getByRole('link', { name: /^Waiting room/ }).waitFor() },
  'deals as a list': {
    path: () => '/crm/deals?as=list',
    waitForContent: (page) => page.getByRole('link', { name: 'Waiting room' }).waitFor(),
  },
  deal: { path: () => `/crm/deals/${deal}`, waitForContent: heading('Waiting room') },
  'edit deal': { path: () => `/crm/deals/${deal}/edit`, waitForContent: (page) => page.getByRole('textbox', { name: 'Title' }).waitFor() },
  'a long name': { path: () => `/crm/contacts/${ids[1]}`, waitForContent: heading(/Wolfeschlegel/) },
  'edit contact': { path: () => `/crm/contacts/edit/${ids[0]}`, waitForContent: (page) => page.getByLabel('First name').waitFor() },
  'new contact': { path: () => '/crm/contacts/new', waitForContent: (page) => page.getByLabel('First name').waitFor() },
  tasks: { path: () => '/crm/tasks', waitForContent: (page) => page.getByRole('link', { name: 'Send the drawings' }).waitFor() },
  'upcoming tasks': { path: () => '/crm/tasks?view=upcoming', waitForContent: heading('Nothing is planned') },
  task: { path: () => `/crm/tasks/${task}`, waitForContent: heading('Send the drawings') },
  'edit task': { path: () => `/crm/tasks/${task}/edit`, waitForContent: (page) => page.getByRole('textbox', { name: 'Title' }).waitFor() },
  files: { path: () => '/files', waitForContent: (page) => page.getByRole('link', { name: 'Quillstone Dental', exact: true }).waitFor() },
  'recent files': {
    path: () => '/files/recent',
    waitForContent: (page) => page.getByRole('link', { name: 'Site access and alarm.txt', exact: true }).waitFor(),
  },
  folder: {
    path: () => `/files/folder/${folder}`,
    waitForContent: (page) => page.getByRole('link', { name: 'Site access and alarm.txt', exact: true }).waitFor(),
  },
  'folder as a grid': {
    opensOverlay: true, // the browser remembers the choice
    path: () => `/files/folder/${folder}`,
    waitForContent: async (page) => {
      await page.getByRole('button', { name: 'Grid', exact: true }).click()
      await page.getByRole('list', { name: 'Files', exact: true }).getByRole('link').first().waitFor()
      await page.evaluate(() => localStorage.removeItem('foyer files layout'))
    },
  },
  'empty folder': { path: () => `/files/folder/${emptyFolder}`, waitForContent: heading('This folder is empty') },
  'found files': {
    path: () => `/files/folder/${folder}?search=alarm`,
    waitForContent: (page) => page.getByRole('link', { name: 'Site access and alarm.txt', exact: true }).waitFor(),
  },
  'selected folders and files': {
    opensOverlay: true,
    path: () => `/files/folder/${folder}`,
    waitForContent: async (page) => {
      await page.getByRole('link', { name: 'Site access and alarm.txt', exact: true }).waitFor()
      await page.keyboard.press('Control+a')
      await page.getByRole('button', { name: 'Delete 1 folder and 2 files' }).waitFor()
    },
  },
  'moving files': {
    opensOverlay: true,
    path: () => `/files/folder/${folder}`,
    waitForContent: async (page) => {
      await page.getByRole('button', { name: 'More for Site access and alarm.txt', exact: true }).click()
      await page.getByRole('menuitem', { name: /Move/ }).click()
      await page.getByRole('treeitem', { name: 'Quillstone Dental' }).waitFor()
    },
  },
  'new folder': {
    opensOverlay: true,
    path: () => '/files',
    waitForContent: async (page) => {
      await page.getByRole('button', { name: 'New folder', exact: true }).click()
      await page.getByRole('dialog', { name: 'New folder' }).getByLabel('Name').waitFor()
    },
  },
  'preview of a PDF': {
    path: () => `/files/file/${pdf}?find=desk`,
    waitForContent: (page) => page.getByText('The desk is made in two parts.').first().waitFor(),
  },
  'preview of a table': { path: () => `/files/file/${table}`, waitForContent: (page) => page.getByText('7900').waitFor() },
  account: { path: () => '/account', waitForContent: heading('Account') },
  trash: { path: () => '/trash', waitForContent: (page) => page.getByText('Bastian Ollerquist').first().waitFor() },
}
const schemes = ['light', 'dark'] as const
/** Returns both themes if FOYER_FULL is set; otherwise, to save time, light on the desktop and dark on the phone. */
const schemesAt = (width: number) =>
  schemes.filter((scheme) => process.env['FOYER_FULL'] === '1' || (scheme === 'light') === (width === 1280))

describe.each([1280, 390])('at %i px', (width) => {
  let signedIn: BrowserContext
  let application: Page
  let website: Page
  beforeAll(async () => {
    const options = { viewport: { width, height: 800 }, colorScheme: 'light', reducedMotion: 'reduce' } as const
    const open = async (): Promise<Page> => (await browser.newContext(options)).newPage()
    ;[application, website] = await Promise.all([open(), open()])
    signedIn = application.context()
    await signedIn.addCookies(cookies)
    await application.goto(`${url}/crm/companies`)
  })
  afterAll(async () => {
    await Promise.all([signedIn.close(), website.context().close()])
  })

  test.each(Object.entries(screens))(
    'the screen "%s" has no accessibility violations, console errors or sideways scrolling',
    async (name, { path, waitForContent, isPublic, opensOverlay }) => {
      const isWithin = width === 390 && !isPublic
      const page = isPublic ? website : isWithin && opensOverlay ? await signedIn.newPage() : application
      const consoleErrors = collectConsoleErrors(page)
      await (isWithin && !opensOverlay ? navigateWithin(page, path()) : page.goto(url + path()))
      await waitForContent(page)
      for (const scheme of schemesAt(width)) {
        await setScheme(page, scheme)
        const violations = await findViolations(page)
        expect(violations.map((violation) => `${scheme}, ${violation}`)).toEqual([])
      }
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
      expect(consoleErrors.filter((line) => !(name === 'not found' && line.includes('404')))).toEqual([])
      if (page !== application && page !== website) await page.close()
    },
  )
})

/** Opens a path without reloading the page. It first opens an unknown path, so that the previous screen is surely gone. */
async function navigateWithin(page: Page, path: string): Promise<void> {
  await page.evaluate(() => history.pushState(null, '', '/crm/nothing-here'))
  await page.getByText('Oops! Page not found').waitFor()
  await page.evaluate((to) => history.pushState(null, '', to), path)
}

/** Changes the operating system's theme for the page. */
async function setScheme(page: Page, scheme: (typeof schemes)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme })
  await page.waitForFunction((name) => {
    const { mantineColorScheme } = document.documentElement.dataset
    return mantineColorScheme === undefined || mantineColorScheme === name // public pages do not have the attribute
  }, scheme)
}

test('an unknown address inside the application shows the not-found page with a link home', async () => {
  const context = await browser.newContext()
  await context.addCookies(cookies)
  const page = await context.newPage()
  await page.goto(`${url}/crm/nothing-here`)
  await page.getByText('Oops! Page not found').waitFor()
  await expect.poll(() => page.getByRole('link', { name: /home|dashboard/i }).count()).toBeGreaterThan(0)
  await context.close()
})

test('the landing page redirects a signed-in user to the dashboard', async () => {
  const context = await browser.newContext()
  await context.addCookies(cookies)
  const page = await context.newPage()
  await page.goto(url)
  expect(page.url()).toBe(`${url}/dashboard`)
  await context.close()
})
