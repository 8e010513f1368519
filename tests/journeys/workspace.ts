// Empty workspaces for tests that read the screen, each with a page of its own.
import { onTestFinished } from 'vitest'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { errors, type ErrorCode } from '#contract/errors.ts'
import { recordKinds } from '#contract/kinds.ts'
import { startProduct, type Product } from '../product.ts'
import { openBrowser } from './browser.ts'
import { nora, signUp } from './people.ts'

type Row = Record<string, unknown>

/** Somebody's workspace, and a page that shows it. */
type Workspace = {
  page: Page
  open: (path: string) => Promise<unknown>
  /** Asks the server in the name of the person. Throws when it refuses. */
  ask: (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, fields?: object) => Promise<Row>
  /** Adds a record past the screen and answers its id. */
  add: (path: string, fields: object) => Promise<string>
  /** Waits until exactly this stands on the screen. */
  said: (text: string, where?: Locator) => Promise<void>
  /** Waits until a notification says this, with this sentence below it. */
  told: (title: string, sentence?: string) => Promise<void>
  /** Presses the button of this name, the first where there are several. */
  press: (name: string, where?: Locator) => Promise<void>
  /** From now on the server fails calls of this method to addresses that begin so. Answers how it is told. */
  fail: (method: string, path: string, code?: ErrorCode) => Promise<string>
  /** From now on the server answers them again. */
  recover: () => Promise<void>
}

/** The product and a browser with somebody signed in, open until they are disposed of. */
export type Doors = AsyncDisposable & {
  /** An empty workspace: what other tests left in it is in the trash. */
  workspace: () => Promise<Workspace>
  /** That of somebody who came this moment. It takes the place of the one before, and longer. */
  newWorkspace: () => Promise<Workspace>
}

/** What each of these says on the screen, in one line; what says nothing is left out. */
export const textsOf = async (places: Locator): Promise<string[]> =>
  (await places.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim()).filter((text) => text !== '')

/** Starts the product and a browser. */
export async function openDoors(): Promise<Doors> {
  const [browser, product] = await Promise.all([openBrowser(), startProduct()])
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  let people = 0
  const signInSomebody = async (): Promise<void> => {
    people += 1
    await signInAs({ ...nora, email: `nora-${people}@larkfield.example` }, context, product)
  }
  await signInSomebody()
  return {
    workspace: async () => {
      const workspace = await openWorkspace(context, product)
      for (const { plural } of Object.values(recordKinds)) {
        if (plural === 'notes') continue // they go with their contact
        const { count } = await workspace.ask('GET', `/api/${plural}/count`)
        if (count !== 0) await workspace.ask('POST', `/api/${plural}/bulk/delete`, { matching: {} })
      }
      return workspace
    },
    newWorkspace: async () => {
      await signInSomebody()
      return openWorkspace(context, product)
    },
    [Symbol.asyncDispose]: () => close(browser, product),
  }
}

async function close(browser: Browser, product: Product): Promise<void> {
  await browser.close()
  await product[Symbol.asyncDispose]()
}

async function signInAs(person: typeof nora, context: BrowserContext, { url }: Product): Promise<void> {
  await signUp(url, person)
  await context.clearCookies()
  const { email, password } = person
  const answer = await context.request.post(`${url}/api/session`, { data: { email, password }, headers: { origin: url } })
  if (!answer.ok()) throw new Error(await answer.text())
}

async function openWorkspace(context: BrowserContext, { url }: Product): Promise<Workspace> {
  const page = await context.newPage()
  onTestFinished(() => page.close())
  const headers = { origin: url }
  const ask: Workspace['ask'] = async (method, path, fields) => {
    const answer = await page.request.fetch(url + path, { method, headers, ...(fields && { data: fields }) })
    if (!answer.ok()) throw new Error(await answer.text())
    return answer.status() === 204 ? {} : await answer.json()
  }
  return {
    page,
    open: (path) => page.goto(url + path, { waitUntil: 'commit' }),
    ask,
    add: async (path, fields) => String((await ask('POST', path, fields))['id']),
    ...readingOf(page),
    ...failuresOf(page, url),
  }
}

function readingOf(page: Page): Pick<Workspace, 'said' | 'told' | 'press'> {
  return {
    said: (text, where) => (where ?? page.locator('body')).getByText(text, { exact: true }).first().waitFor(),
    told: async (title, sentence) => {
      const toasts = page.getByRole('region', { name: 'Notifications' })
      await toasts.getByText(title, { exact: true }).last().waitFor()
      if (sentence) await toasts.getByText(sentence, { exact: true }).last().waitFor()
    },
    press: (name, where) => (where ?? page.locator('body')).getByRole('button', { name, exact: true }).first().click(),
  }
}

function failuresOf(page: Page, url: string): Pick<Workspace, 'fail' | 'recover'> {
  const failing: ((address: URL) => boolean)[] = []
  return {
    fail: async (method, path, code = 'not_ready') => {
      const [status, detail] = errors[code]
      const problem = { type: 'about:blank', title: 'Error', status, code, detail, request_id: 'none' }
      const isMeant = (address: URL): boolean => address.href.startsWith(url + path)
      failing.push(isMeant)
      if (method === 'GET') await page.route('**/api/events', (route) => route.abort()) // news would fetch it again before anybody asks
      await page.route(isMeant, (route) =>
        route.request().method() === method
          ? route.fulfill({ status, contentType: 'application/problem+json', json: problem })
          : route.fallback(),
      )
      return detail
    },
    recover: async () => {
      for (const isMeant of failing.splice(0)) await page.unroute(isMeant)
    },
  }
}
