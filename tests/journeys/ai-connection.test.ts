// The user connects an AI on the account page with the keyboard, and every state of the section passes axe in both themes and widths.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { startAiServer, type AiServer } from '#server/testing/ai-server.ts'
import { signIn, signUp } from './accounts.ts'
import { findViolations, widthsAndThemes } from './axe.ts'
import { collectConsoleErrors } from './browser.ts'
import { closeContexts, getBrowser, url } from './shared.ts'

const key = 'key-of-nora-8f2c'
let browser: Browser
let context: BrowserContext
let ai: AiServer
beforeAll(async () => {
  browser = await getBrowser()
  ai = await startAiServer({ key })
  await signUp(url)
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  await signIn(context.request, url)
})
afterAll(async () => {
  await closeContexts()
  await ai[Symbol.asyncDispose]()
})

const open = async (): Promise<{ page: Page; consoleErrors: string[] }> => {
  const page = await context.newPage()
  const consoleErrors = collectConsoleErrors(page)
  await page.goto(`${url}/account`)
  return { page, consoleErrors }
}
const sectionOf = (page: Page) => page.getByRole('region', { name: 'AI assistant' })

test('the user connects an AI with the keyboard, and another tab shows it', async () => {
  const { page, consoleErrors } = await open()
  const other = (await open()).page
  await sectionOf(other).getByText('No AI is connected.').waitFor()
  const section = sectionOf(page)
  const { keyboard } = page
  await section.getByLabel('Address').focus()
  await keyboard.type(ai.baseUrl)
  await keyboard.press('Tab')
  await keyboard.type('not-the-right-key')
  await keyboard.press('Tab')
  await section.getByText('The models could not be listed: The AI service refused the key.').waitFor()
  await keyboard.press('Shift+Tab')
  await keyboard.press('Control+a')
  await keyboard.type(key)
  await keyboard.press('Tab')
  await page.getByRole('option', { name: 'small' }).waitFor()
  await keyboard.type('sma')
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await expect.poll(() => section.getByRole('combobox', { name: 'Model', exact: true }).inputValue()).toBe('small')
  await keyboard.press('Enter') // sends the form
  await page.getByText('AI connection saved').waitFor()
  await section.getByText('The connection works.').waitFor()
  await section.getByText('Looks things up and suggests changes').waitFor()
  expect(await section.getByLabel('Key').inputValue()).toBe('')
  expect(await section.getByLabel('Key').getAttribute('placeholder')).toBe('Stored, ends in 8f2c')
  expect(await page.content()).not.toContain(key)
  expect(consoleErrors).toEqual([])
  await sectionOf(other)
    .getByText(`You use small at ${new URL(ai.baseUrl).host}.`)
    .waitFor()
  await sectionOf(other).getByText('Looks things up and suggests changes').waitFor()

  await page.reload()
  expect(await sectionOf(page).getByLabel('Key').getAttribute('placeholder')).toBe('Stored, ends in 8f2c')
  await sectionOf(page).getByRole('button', { name: 'Remove' }).click()
  await sectionOf(page).getByText('No AI is connected.').waitFor()
  await sectionOf(other).getByText('No AI is connected.').waitFor()
})

test('the address /account#ai opens the page at the section', async () => {
  const page = await context.newPage()
  await page.goto(`${url}/account#ai`)
  await sectionOf(page).getByLabel('Address').waitFor()
  await expect.poll(async () => (await sectionOf(page).boundingBox())?.y).toBeLessThan(100)
})

test.each(widthsAndThemes)(
  'the section has no violations of accessibility and nothing scrolls sideways (%i px, %s)',
  async (width, colorScheme) => {
    const page = await context.newPage()
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 844 })
    await page.request.put(`${url}/api/ai`, { data: { base_url: ai.baseUrl, key, model: 'small' }, headers: { origin: url } })
    await page.goto(`${url}/account#ai`)
    const section = sectionOf(page)
    await section.getByRole('button', { name: 'Test' }).click()
    await section.getByText('The connection works.').waitFor()
    expect(await findViolations(page, { within: '#ai' })).toEqual([])
    await section.getByLabel('Address').fill('http://10.0.0.1/v1')
    await page.keyboard.press('Tab')
    await section.getByText('This address is in a private network.').first().waitFor() // the message moves the button
    await section.getByRole('button', { name: 'Test' }).click()
    await section.getByText('The test found a problem').waitFor()
    expect(await findViolations(page, { within: '#ai' })).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
    await page.request.delete(`${url}/api/ai`, { headers: { origin: url } })
    await page.close()
  },
)
