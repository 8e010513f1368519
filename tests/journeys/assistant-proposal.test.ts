// The assistant proposes changes, which are made only after the user has confirmed them: by keyboard, on a phone, and with Undo.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { startAiServer, type AiServer } from '#server/testing/ai-server.ts'
import { signIn, signUp } from './accounts.ts'
import { findViolations } from './axe.ts'
import { collectConsoleErrors, tabTo } from './browser.ts'
import { closeContexts, getBrowser, url } from './shared.ts'

let browser: Browser
let context: BrowserContext
let ai: AiServer
beforeAll(async () => {
  browser = await getBrowser()
  ai = await startAiServer()
  await signUp(url)
  context = await openContext(1280)
  await send('PUT', '/api/ai', { base_url: ai.baseUrl, model: 'small' })
})
afterAll(async () => {
  await closeContexts()
  await ai[Symbol.asyncDispose]()
})

async function openContext(width: number): Promise<BrowserContext> {
  const isPhone = width < 768
  const opened = await browser.newContext({ viewport: { width, height: 844 }, hasTouch: isPhone, isMobile: isPhone })
  await signIn(opened.request, url)
  return opened
}

async function send(method: 'GET' | 'POST' | 'PUT', path: string, data?: object): Promise<Record<string, unknown>> {
  const response = await context.request.fetch(url + path, { method, ...(data && { data }), headers: { origin: url } })
  if (!response.ok()) throw new Error(await response.text())
  return response.json()
}
const addDeal = async (title: string) => String((await send('POST', '/api/deals', { title, value: 21_600, stage: 'proposal' }))['id'])

/** Makes the next answer call these tools. */
function callInNextAnswer(calls: { name: string; input: string }[]): void {
  ai.setRespond(({ toolResults }) => (toolResults.length > 0 ? 'These records need a change.' : [{ calls }]))
}
const toolCall = (name: string, input: object) => ({ name, input: JSON.stringify(input) })
const cardOf = (page: Page) => page.getByRole('region', { name: 'Proposed changes' })

/** Opens the panel over the list of deals with the keyboard, and asks for changes. */
async function ask(page: Page): Promise<void> {
  await page.goto(`${url}/crm/deals?as=list`)
  await page.getByRole('heading', { name: 'Deals' }).waitFor()
  await page.keyboard.press('Control+j')
  await page.getByRole('textbox', { name: 'Message' }).fill('Update them, and remind me.')
  await page.keyboard.press('Enter')
  await cardOf(page).waitFor()
}

test('with the keyboard, one of three proposed changes is edited and one unticked; the ticked ones are applied and undone', async () => {
  const [counter, joinery] = [await addDeal('Coffee counter'), await addDeal('Meeting room joinery')]
  callInNextAnswer([
    toolCall('propose_update', { kind: 'deal', records: [counter], fields: { stage: 'negotiation', value: 19_850 } }),
    toolCall('propose_delete', { kind: 'deal', records: [joinery] }),
    toolCall('propose_create', { kind: 'task', records: [{ title: 'Measure both sites', deal_id: counter }] }),
  ])
  const page = await context.newPage()
  const consoleErrors = collectConsoleErrors(page)
  await ask(page)
  const card = cardOf(page)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await findViolations(page)).toEqual([])
  }
  const firstCell = page
    .getByRole('row', { name: /Coffee counter/ })
    .locator('td')
    .first()
  const readRowMark = () => firstCell.evaluate((cell) => getComputedStyle(cell).boxShadow)
  await expect.poll(readRowMark).toContain('2px 0px') // the row of a record with a proposed change has a line at its left edge

  await tabTo(page, card.getByRole('checkbox', { name: 'Apply: Meeting room joinery' }), 'Shift+Tab')
  await page.keyboard.press('Space')
  await tabTo(page, card.getByRole('button', { name: 'Edit Coffee counter' }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await tabTo(page, card.getByRole('textbox', { name: 'Value' }))
  await page.keyboard.press('Control+a')
  await page.keyboard.type('20,000')
  await page.keyboard.press('Enter')
  await card.getByRole('term').filter({ hasText: 'Value' }).waitFor() // the editor is closed
  expect(await send('GET', `/api/deals/${counter}`)).toMatchObject({ value: 21_600 })
  await page.keyboard.press('Control+Enter')
  await page.getByText('2 changes applied').waitFor()
  expect(await send('GET', `/api/deals/${counter}`)).toMatchObject({ value: 20_000, stage: 'negotiation' })
  expect(await send('GET', `/api/deals/${joinery}`)).toMatchObject({ title: 'Meeting room joinery' })
  expect(await send('GET', '/api/tasks/count')).toMatchObject({ count: 1 })

  await page.keyboard.press('Escape') // closes the panel
  await page.keyboard.press('Control+z')
  await expect.poll(() => send('GET', `/api/deals/${counter}`)).toMatchObject({ value: 21_600, stage: 'proposal' })
  expect(await send('GET', '/api/tasks/count')).toMatchObject({ count: 0 })
  await page.keyboard.press('Control+j')
  await page.getByText('2 changes applied and undone').waitFor()
  expect(consoleErrors).toEqual([])
  await page.close()
})

test('on a phone the card is as wide as the screen, its buttons are 44 px high, and an applied change is undone after a reload', async () => {
  const counter = await addDeal('Shop counter')
  callInNextAnswer([toolCall('propose_update', { kind: 'deal', records: [counter], fields: { stage: 'closed-won' } })])
  const phone = await openContext(390)
  const page = await phone.newPage()
  await ask(page)
  const card = cardOf(page)
  const isOverflowing = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
  expect(await isOverflowing()).toBe(false)
  for (const name of ['Edit Shop counter', 'Discard', 'Apply 1 change'])
    expect((await card.getByRole('button', { name }).boundingBox())?.height, name).toBeGreaterThanOrEqual(44)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await findViolations(page)).toEqual([])
  }
  await card.getByRole('button', { name: 'Apply 1 change' }).tap()
  await page.getByText('1 deal changed').waitFor()
  const { rows } = await send('GET', '/api/conversations')
  const [conversation] = Array.isArray(rows) ? rows : []
  await page.goto(`${url}/assistant/${conversation.id}`)
  await page.getByRole('button', { name: 'Undo', exact: true }).tap()
  await page.getByText('1 deal changed and undone').waitFor()
  expect(await send('GET', `/api/deals/${counter}`)).toMatchObject({ stage: 'proposal' })
})
