// The user lets the AI suggest fields for the columns of a file, with the keyboard. The screen passes axe before and after the suggestions.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn, signUp } from './accounts.ts'
import { connectAi } from './ai.ts'
import { findViolations, widthsAndThemes } from './axe.ts'
import { collectConsoleErrors } from './browser.ts'
import { closeContexts, getBrowser, url } from './shared.ts'

beforeAll(() => signUp(url))
afterAll(closeContexts)

const file = 'First name,Last name,Xyzzy,Plugh\nImara,Vantongeren,imara@tidewick.example,Harbour street 7\nTobias,Lindqvist,,Mill lane 2\n'

test.each(widthsAndThemes)('the AI suggests fields for the unsure columns (%i px, %s)', async (width, colorScheme) => {
  // with reduced motion, because a toast that is appearing has little contrast
  const context = await (await getBrowser()).newContext({ viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce' })
  await signIn(context.request, url)
  const columns = [
    { column: 3, field: 'description' },
    { column: 4, field: 'mailing_street' },
  ]
  await connectAi(context.request, url, { respond: () => JSON.stringify({ columns }) })
  const headers = { origin: url, 'content-type': 'application/octet-stream' }
  const uploaded = await context.request.post(`${url}/api/imports?file_name=people.csv`, { headers, data: Buffer.from(file) })
  const { id }: { id: string } = await uploaded.json()
  const page = await context.newPage()
  const consoleErrors = collectConsoleErrors(page)
  await page.goto(`${url}/crm/imports/${id}`)
  const ask = page.getByRole('button', { name: /^Ask AI about \d unsure columns?$/ })
  await ask.waitFor()
  await page.getByText('Sends the names of these columns and five masked values each, never the file.').waitFor()
  expect(await findViolations(page)).toEqual([])
  await ask.focus()
  await page.keyboard.press('Enter')
  await page.getByText('Suggested by AI').first().waitFor()
  expect(await page.getByRole('combobox', { name: 'Field for Plugh' }).inputValue()).toBe('mailing_street')
  await ask.waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Columns')
  expect(await findViolations(page)).toEqual([])
  expect(consoleErrors).toEqual([])
})
