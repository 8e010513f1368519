import { onTestFinished } from 'vitest'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { errors, type ErrorCode } from '#contract/errors.ts'
import { nora, signIn, signUp } from './accounts.ts'
import { closeContexts, getBrowser, url } from './shared.ts'

type Row = Record<string, unknown>

/** The workspace of a signed-in user, and a page that shows it. */
type Workspace = {
  page: Page
  open: (path: string) => Promise<unknown>
  /** Calls the API as the signed-in user. Throws when the server refuses. */
  callApi: (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, fields?: object) => Promise<Row>
  /** Adds a record through the API and returns its id. */
  add: (path: string, fields: object) => Promise<string>
  /** Waits until an element on the page, or within `where`, has exactly this text. */
  expectText: (text: string, where?: Locator) => Promise<void>
  /** Waits for a notification with this title. If a sentence is given, also waits for a notification with this sentence. */
  expectToast: (title: string, sentence?: string) => Promise<void>
  /** Clicks the first button of this name, on the page or within `where`. */
  click: (name: string, where?: Locator) => Promise<void>
  /** Until `stopFailing`, requests with this method fail if their path has this prefix. Returns the error message that users see. */
  failRequests: (method: string, path: string, code?: ErrorCode) => Promise<string>
  stopFailing: () => Promise<void>
}

/** Opens workspaces, one after the other, in one browser context. */
export type Workspaces = AsyncDisposable & {
  /** Moves the records of earlier tests to the trash, and opens the workspace of the current user. */
  openEmpty: () => Promise<Workspace>
  /** Signs up a new user and opens the user's workspace. Later calls of `openEmpty` open this workspace too. */
  openForNewUser: () => Promise<Workspace>
}

/** Returns the non-empty texts of these elements, each on one line. */
export const textsOf = async (elements: Locator): Promise<string[]> =>
  (await elements.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim()).filter((text) => text !== '')

/** The kinds of records that the journeys with a shared workspace add. Notes are deleted with their contacts. */
const addedKinds = ['contacts', 'companies', 'deals', 'tasks', 'files']

export async function openWorkspaces(): Promise<Workspaces> {
  const browser = await getBrowser()
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  let userCount = 0
  const signUpNext = async (): Promise<void> => {
    userCount += 1
    await signInAs({ ...nora, email: `${userCount}-${nora.email}` }, context)
  }
  await signUpNext()
  return {
    openEmpty: async () => {
      const workspace = await openWorkspace(context)
      for (const plural of addedKinds) {
        const { count } = await workspace.callApi('GET', `/api/${plural}/count`)
        if (count !== 0) await workspace.callApi('POST', `/api/${plural}/bulk/delete`, { matching: {} })
      }
      return workspace
    },
    openForNewUser: async () => {
      await signUpNext()
      return openWorkspace(context)
    },
    [Symbol.asyncDispose]: closeContexts,
  }
}

async function signInAs(account: typeof nora, context: BrowserContext): Promise<void> {
  await signUp(url, account)
  await context.clearCookies()
  await signIn(context.request, url, account)
}

async function openWorkspace(context: BrowserContext): Promise<Workspace> {
  const page = await context.newPage()
  onTestFinished(() => page.close())
  // Playwright begins to report dialogs for files a while after the first listener is added, so one is added before a test needs it
  page.on('filechooser', () => undefined)
  const headers = { origin: url }
  const callApi: Workspace['callApi'] = async (method, path, fields) => {
    const response = await page.request.fetch(url + path, { method, headers, ...(fields && { data: fields }) })
    if (!response.ok()) throw new Error(await response.text())
    return response.status() === 204 ? {} : await response.json()
  }
  return {
    page,
    open: (path) => page.goto(url + path, { waitUntil: 'commit' }),
    callApi,
    add: async (path, fields) => String((await callApi('POST', path, fields))['id']),
    ...interactionsWith(page),
    ...failuresOf(page),
  }
}

function interactionsWith(page: Page): Pick<Workspace, 'expectText' | 'expectToast' | 'click'> {
  return {
    expectText: (text, where) => (where ?? page.locator('body')).getByText(text, { exact: true }).first().waitFor(),
    expectToast: async (title, sentence) => {
      const toasts = page.getByRole('region', { name: 'Notifications' })
      await toasts.getByText(title, { exact: true }).last().waitFor()
      if (sentence) await toasts.getByText(sentence, { exact: true }).last().waitFor()
    },
    click: (name, where) => (where ?? page.locator('body')).getByRole('button', { name, exact: true }).first().click(),
  }
}

function failuresOf(page: Page): Pick<Workspace, 'failRequests' | 'stopFailing'> {
  const failing: ((address: URL) => boolean)[] = []
  return {
    failRequests: async (method, path, code = 'not_ready') => {
      const [status, detail] = errors[code]
      const problem = { type: 'about:blank', title: 'Error', status, code, detail, request_id: 'none' }
      const isFailing = (address: URL): boolean => address.href.startsWith(url + path)
      failing.push(isFailing)
      if (method === 'GET') {
        await page.route('**/api/events', (route) => route.abort()) // without live events, which would make the page repeat the request
        await removeFirstResponses(page)
      }
      await page.route(isFailing, (route) =>
        route.request().method() === method
          ? route.fulfill({ status, contentType: 'application/problem+json', json: problem })
          : route.fallback(),
      )
      return detail
    },
    stopFailing: async () => {
      for (const isFailing of failing.splice(0)) await page.unroute(isFailing)
    },
  }
}

/** Removes the responses that the server puts into documents, so that the page requests everything itself. */
async function removeFirstResponses(page: Page): Promise<void> {
  await page.route(
    () => true,
    async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback()
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replace(/<script[^>]* id="first-responses".*?<\/script>/s, '') })
    },
  )
}
