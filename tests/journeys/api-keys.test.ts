// Other programs: a key is made in the browser, a lead is sent with the command of the page, its signed webhook is received and sent again,
// and an AI program adds a contact and undoes this.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { startWebhookReceiver } from '#server/testing/webhook-receiver.ts'
import { signIn, signUp } from './accounts.ts'
import { collectConsoleErrors } from './browser.ts'
import { closeContexts, getBrowser, url } from './shared.ts'

beforeAll(() => signUp(url))
afterAll(closeContexts)

async function openPage(): Promise<Page> {
  const context = await (await getBrowser()).newContext({ viewport: { width: 1280, height: 800 } })
  onTestFinished(() => context.close())
  await signIn(context.request, url)
  const page = await context.newPage()
  const consoleErrors = collectConsoleErrors(page)
  onTestFinished(() => expect(consoleErrors).toEqual([]))
  return page
}

/** Creates a key with the keyboard alone, and returns it. Toggles the checkboxes of some rights; at first only "Send leads" is ticked. */
async function createKey(page: Page, name: string, toggledRights: readonly string[] = []): Promise<string> {
  await page.goto(`${url}/api-keys#create`)
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('placeholder'))).toBe('Website contact form')
  for (const right of toggledRights) await page.getByRole('checkbox', { name: right, exact: true }).press('Space')
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.keyboard.press('Enter')
  const card = page.getByRole('region', { name: `Your new API key: ${name}` })
  const key = await card.locator('code').innerText()
  expect(key).toMatch(/^sk_[\da-f]{64}$/)
  await page.getByRole('button', { name: "I've saved this key" }).focus()
  await page.keyboard.press('Enter')
  await card.waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(key)
  return key
}

test('a lead that is sent with the command of the page arrives, and its signed webhook is received and sent again', async () => {
  await using receiver = await startWebhookReceiver()
  const page = await openPage()
  await page.goto(`${url}/api-keys/webhooks`)
  await page.getByRole('textbox', { name: 'Address' }).fill(receiver.url)
  await page.getByRole('textbox', { name: 'Description' }).fill('Newsletter')
  await page.keyboard.press('Enter')
  const secret = await page
    .getByRole('region', { name: `The secret of ${receiver.url}` })
    .locator('code')
    .innerText()
  await page.getByRole('button', { name: "I've saved this secret" }).click()

  const key = await createKey(page, 'Website')
  const command = await page.getByRole('region', { name: 'How to use an API key' }).locator('code').last().innerText()
  const { stdout } = await promisify(execFile)('sh', ['-c', `${command.replace('YOUR_API_KEY', key)} -s`])
  expect(JSON.parse(stdout)).toEqual({ success: true, contact_id: expect.any(String) })
  await page.getByText(/last used/).waitFor()

  await expect.poll(() => receiver.messages.length, { timeout: 15_000 }).toBe(1)
  const verify = (): unknown[] => receiver.messages.map(({ headers, body }) => new Webhook(secret).verify(body, headers))
  expect(verify()).toMatchObject([{ type: 'contact.created', data: { record: { first_name: 'Jane', last_name: 'Doe' } } }])
  await page.goto(`${url}/api-keys/webhooks`)
  await page.getByRole('link', { name: 'Newsletter' }).click()
  await page.getByRole('listitem').getByText('Delivered', { exact: true }).waitFor()
  await page.getByRole('button', { name: /^Send again: contact\.created of / }).click()
  await expect.poll(() => receiver.messages.length, { timeout: 15_000 }).toBe(2)
  const [first, second] = receiver.messages
  expect([second?.headers['webhook-id'], second?.body]).toEqual([first?.headers['webhook-id'], first?.body])
  expect(verify()).toHaveLength(2)
  await page.goto(`${url}/crm/contacts?search=jane`)
  await page.getByText('Jane Doe').first().waitFor()
})

test('an AI program that connects with a key adds a contact, which is shown at once, and undoes this', async () => {
  const page = await openPage()
  const key = await createKey(page, 'Assistant on my computer', ['Send leads', 'Read', 'Write']) // without "Send leads"
  await page.goto(`${url}/crm/contacts`)
  const client = new Client({ name: 'journey', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: { 'x-api-key': key } } }))
  onTestFinished(() => client.close())
  const Result = z.object({ content: z.array(z.object({ text: z.string() })) })
  const record = { first_name: 'Mary', last_name: 'Somerville' }
  const { content } = Result.parse(await client.callTool({ name: 'create', arguments: { kind: 'contact', records: [record] } }))
  const { change } = JSON.parse(content[0]?.text ?? '')
  await page.getByText('Mary Somerville').first().waitFor()
  await client.callTool({ name: 'undo', arguments: { id: change } })
  await expect.poll(() => page.getByText('Mary Somerville').count(), { timeout: 10_000 }).toBe(0)
})
