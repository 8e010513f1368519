// Journeys in a browser for what needs the real server or the real layout, such as texts into which the server fills a value. The tests of
// the screens in web/ check all other texts.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nora } from './accounts.ts'
import { url } from './shared.ts'
import { openWorkspaces, type Workspaces } from './workspace.ts'

let workspaces: Workspaces
beforeAll(async () => {
  workspaces = await openWorkspaces()
})
afterAll(() => workspaces?.[Symbol.asyncDispose]())

test('the landing page and the not-found page have the values that the server fills in', async () => {
  const landing = await (await fetch(url)).text()
  expect(landing).toContain(`© ${new Date().getFullYear()} Foyer`)
  const notFound = await fetch(`${url}/nowhere`)
  expect(notFound.status).toBe(404)
  expect(await notFound.text()).toContain('Oops! Page not found')
})

test('the sidebar is collapsed with the keyboard, and a cookie stores this for seven days', async () => {
  const { page, open } = await workspaces.openForNewUser()
  await open('/crm/contacts')
  const entry = page.getByRole('link', { name: 'Contacts', exact: true }).first()
  const readWidth = async (): Promise<number> => (await entry.boundingBox())?.width ?? 0
  await expect.poll(readWidth).toBeGreaterThan(200)
  await page.keyboard.press('Control+b')
  await expect.poll(readWidth).toBeLessThan(48)
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'sidebar')
  const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400
  expect(days).toBeGreaterThan(6.9)
  expect(days).toBeLessThan(7.1)
  await page.keyboard.press('Control+b')
})

test('after the account was deleted, the landing page is open, and nobody can sign in to the account', async () => {
  const { page, open, click, callApi } = await workspaces.openForNewUser()
  const { user } = await callApi('GET', '/api/session')
  await open('/account')
  await click('Delete account')
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await dialog.getByLabel('Type your password to go on').fill(nora.password)
  await click('Delete account', dialog)
  await page.waitForURL(`${url}/`)
  const { email } = Object(user) // `Object` returns `user` itself, with the type any
  const data = { email, password: nora.password }
  const response = await page.request.post(`${url}/api/session`, { data, headers: { origin: url } })
  expect(response.status()).toBe(401)
  expect(await response.json()).toMatchObject({ detail: 'Invalid login credentials' })
})

test('every action on a company shows a toast and can be undone on the server, and saving a company that was deleted meanwhile can restore it', async () => {
  const { page, open, callApi, expectText, expectToast, click } = await workspaces.openForNewUser()
  await open('/crm/companies')
  await page.getByRole('link', { name: 'Add company' }).click()
  const addDialog = page.getByRole('dialog', { name: 'Add company' })
  await addDialog.getByLabel('Name').fill('Oakmoor')
  await click('Save company', addDialog)
  await expectToast('Company created')
  await click('Undo')
  await expectToast('Undone: Company created')
  await page.keyboard.press('Control+Shift+z')
  await expectToast('Redone: Company created')
  await click('Edit Oakmoor')
  const editDialog = page.getByRole('dialog', { name: 'Edit company' })
  await editDialog.getByLabel('Name').fill('Oakmoor Hall')
  await click('Save company', editDialog)
  await expectToast('Company updated')
  await click('Undo')
  await expectToast('Undone: Company updated')
  await click('Delete Oakmoor')
  await expectToast('Company deleted')
  await click('Undo')
  await expectToast('Undone: Company deleted')
  await page.getByRole('link', { name: 'Oakmoor', exact: true }).waitFor()
  const { rows } = await callApi('GET', '/api/companies')
  expect(rows).toMatchObject([{ name: 'Oakmoor' }])
  await click('Edit Oakmoor')
  // the form may show the record as it was before the last undo, until the response of the server has arrived
  await expect.poll(() => editDialog.getByLabel('Name').inputValue()).toBe('Oakmoor')
  await editDialog.getByLabel('Name').fill('Oakmoor House')
  await callApi('POST', '/api/companies/bulk/delete', { matching: {} })
  await click('Save company', editDialog)
  await expectText('This company was deleted while you were editing. Restore it and save?', editDialog)
  await click('Restore and save', editDialog)
  await expectToast('Company updated')
  expect(await callApi('GET', '/api/companies')).toMatchObject({ rows: [{ name: 'Oakmoor House' }] })
})
