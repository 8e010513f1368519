// The connection is lost and comes back while a list is open.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkspaces, type Workspaces } from './workspace.ts'

let workspaces: Workspaces
beforeAll(async () => {
  workspaces = await openWorkspaces()
})
afterAll(() => workspaces?.[Symbol.asyncDispose]())

test('the pill shows that the browser is offline, and what was added elsewhere meanwhile appears when it is back', async () => {
  const { page, open, add } = await workspaces.openEmpty()
  await add('/api/contacts', { first_name: 'Imara', last_name: 'Vantongeren' })
  await page.clock.install()
  await open('/crm/contacts')
  await page.getByRole('link', { name: 'Imara Vantongeren' }).waitFor()
  await page.clock.runFor(5000)
  await page.waitForLoadState('networkidle')
  const pill = page.getByText('Offline. Changes cannot be saved.')
  await expect.poll(() => page.evaluate(() => document.querySelectorAll('output').length)).toBeGreaterThan(0)
  await page.context().setOffline(true)
  await pill.waitFor()
  await page.context().setOffline(false)
  await add('/api/contacts', { first_name: 'Bastian', last_name: 'Ollerquist' })
  await expect.poll(() => pill.count()).toBe(0)
  await page.clock.runFor(5000)
  await page.getByRole('link', { name: 'Bastian Ollerquist' }).waitFor()
})
