// Journeys in a browser that check the texts on the screens of the account page and of the trash.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { addContacts, nora, signIn, signUp } from './accounts.ts'
import { connectToBrowser, url } from './shared.ts'

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await connectToBrowser()
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  page = await context.newPage()
  await signUp(url)
  await signIn(page, url)
})
afterAll(() => browser?.close())

const expectText = (text: string) => page.getByText(text, { exact: true }).first().waitFor()
const section = (name: string) => page.getByRole('region', { name, exact: true })
const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click()

describe('the account page', () => {
  beforeAll(() => page.goto(`${url}/account`))

  test('a saved profile is confirmed and can be undone', async () => {
    await section('You').getByLabel('Full name').fill('Nora Larkfield')
    await press('Save changes')
    await expectText('Account updated')
    await press('Undo')
    await expectText('Undone: Account updated')
    await expect.poll(() => section('You').getByLabel('Full name').inputValue()).toBe(nora.name)
  })

  test('a field that was changed in another tab is shown as a conflict', async () => {
    await section('You').getByLabel('Full name').fill('Nora of the oaks')
    const data = { full_name: 'Nora of the ashes' }
    await page.request.patch(`${url}/api/profile`, { data, headers: { origin: url } })
    await press('Save changes')
    await expectText('Full name was changed somewhere else while you were editing')
    await expectText('Everything else you typed is safe. Choose which one to keep, then save again.')
    await section('You').getByRole('button', { name: 'Cancel' }).click()
  })

  test('a wrong password is reported at its field', async () => {
    await section('Email').getByLabel('New email').fill('nora@oakmoor.example')
    await section('Email').getByLabel('Current password').fill('not this one')
    await press('Change email')
    await expect.poll(() => section('Email').innerText()).toContain('That is not your current password.')
    await section('Password').getByLabel('Current password').fill('not this one')
    await section('Password').getByLabel('New password').fill('ash and oak')
    await press('Change password')
    await expect.poll(() => section('Password').innerText()).toContain('That is not your current password.')
  })

  test('a changed email and a changed password are confirmed', async () => {
    await section('Email').getByLabel('Current password').fill(nora.password)
    await press('Change email')
    await expectText('Email changed')
    await expectText('You now sign in with nora@oakmoor.example.')
    await section('Password').getByLabel('Current password').fill(nora.password)
    await press('Change password')
    await expectText('Password changed')
    await expectText('Every other device has been signed out.')
  })

  test('signing out other devices is confirmed', async () => {
    for (let device = 0; device < 3; device++) await signInOnOtherDevice()
    await page.reload()
    await section('Devices')
      .getByRole('button', { name: /^Sign out (?!everywhere)/ })
      .first()
      .click()
    await expectText('Device signed out')
    await press('Sign out everywhere else')
    await expectText('Every other device has been signed out')
  })
})

describe('the trash', () => {
  const wren = { first_name: 'Wren', last_name: 'Aldershaw' }
  const addAndDelete = async (...people: Record<string, string>[]): Promise<void> => {
    const ids = await addContacts(page, url, people)
    const response = await page.request.post(`${url}/api/contacts/bulk/delete`, { data: { ids }, headers: { origin: url } })
    expect(response.ok(), await response.text()).toBe(true)
  }

  test('an empty trash explains what it is for', async () => {
    await page.goto(`${url}/trash`)
    await expectText('The trash is empty')
    await expectText('What you delete waits here for 30 days, in case you want it back.')
  })

  test('a restored record is confirmed', async () => {
    await addAndDelete(wren)
    await press('Restore Wren Aldershaw')
    await expectText('Restored')
    await page.getByText('The trash is empty').waitFor()
  })

  test('erasing requires a confirmation, because it cannot be undone', async () => {
    await addAndDelete(wren, { first_name: 'Isolde', last_name: 'Quarrington' })
    await expectText('2 contacts deleted together just now')
    await press('Erase Isolde Quarrington for good')
    await expectText('Erase Isolde Quarrington for good?')
    await expectText('It is erased with its history. Nothing can bring it back.')
    await press('Erase for good')
    await expectText('Erased for good')
    await press('Empty trash')
    const dialog = page.getByRole('dialog', { name: 'Empty the trash?' })
    await dialog.getByText('Everything in the trash is erased with its history. Nothing can bring it back.').waitFor()
    await dialog.getByRole('button', { name: 'Empty trash' }).click()
    await expectText('Trash emptied')
  })

  test('restoring a record that was already restored elsewhere shows an error', async () => {
    await addAndDelete(wren, { first_name: 'Isolde', last_name: 'Quarrington' })
    await page.route('**/api/events', (route) => route.abort()) // without live updates the screen still shows the old state
    await page.reload()
    await page.getByRole('button', { name: 'Restore all 2' }).waitFor()
    const { rows }: { rows: { id: string; change: string }[] } = await (await page.request.get(`${url}/api/trash`)).json()
    await page.request.post(`${url}/api/changes/${rows[0]?.change}/undo`, { headers: { origin: url } })
    await press('Restore all 2')
    await expectText('Error')
    await expectText('This has been undone already.')
    await press('Restore Wren Aldershaw')
    await expectText('There is nothing here, or it is not yours.')
  })
})

test('the dialog lists what is deleted with the account; afterwards nobody can sign in to the account', async () => {
  await page.goto(`${url}/account`)
  await press('Delete account')
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await dialog.getByText('Nothing of this can be brought back:').waitFor()
  await expect
    .poll(() => dialog.getByRole('listitem').allInnerTexts())
    .toEqual(expect.arrayContaining(['every contact, with its history', 'everything in the trash', 'your name, email and password']))
  await dialog.getByLabel('Type your password to go on').fill('not this one')
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await dialog.getByText('That is not your current password.').waitFor()
  await dialog.getByLabel('Type your password to go on').fill('ash and oak')
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await page.waitForURL(`${url}/`)
  const response = await signInOnOtherDevice()
  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({ detail: 'Invalid login credentials' })
})

function signInOnOtherDevice(): Promise<Response> {
  const credentials = { email: 'nora@oakmoor.example', password: 'ash and oak' }
  const headers = { 'content-type': 'application/json' }
  return fetch(`${url}/api/session`, { method: 'POST', headers, body: JSON.stringify(credentials) })
}
