// The connection is lost and comes back while a list is open.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkspaces, type Workspaces } from './workspace.ts'

let workspaces: Workspaces
beforeAll(async () => {
  workspaces = await openWorkspaces()
})
afterAll(() => workspaces?.[Symbol.asyncDispose]())

test('a label shows that the browser is offline; when the browser is online again, the list shows what was added elsewhere', async () => {
  const { page, open, add } = await workspaces.openEmpty()
  await add('/api/contacts', { first_name: 'Imara', last_name: 'Vantongeren' })
  await page.clock.install() // lets the test move the time of the page forward with `runFor`
  await open('/crm/contacts')
  await page.getByRole('link', { name: 'Imara Vantongeren' }).waitFor()
  await page.clock.runFor(5000) // loads the code of the label, which the application does some seconds after its start
  await page.waitForLoadState('networkidle')
  const label = page.getByText('Offline. Changes cannot be saved.')
  // the element in which the label appears exists as soon as its code runs
  await expect.poll(() => page.evaluate(() => document.querySelectorAll('output').length)).toBeGreaterThan(0)
  await page.context().setOffline(true)
  await label.waitFor()
  await page.context().setOffline(false)
  await add('/api/contacts', { first_name: 'Bastian', last_name: 'Ollerquist' })
  await expect.poll(() => label.count()).toBe(0)
  await page.clock.runFor(5000)
  await page.getByRole('link', { name: 'Bastian Ollerquist' }).waitFor()
})
