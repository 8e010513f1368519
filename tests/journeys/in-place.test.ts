// Values that are edited where they are shown, with the mouse and the keyboard.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkspaces, type Workspaces } from './workspace.ts'

let workspaces: Workspaces
beforeAll(async () => {
  workspaces = await openWorkspaces()
})
afterAll(() => workspaces?.[Symbol.asyncDispose]())

test('values of a contact are edited in place, survive a reload while they are typed, and can be undone', async () => {
  const { page, open, callApi, add, expectToast, click } = await workspaces.openEmpty()
  const id = await add('/api/contacts', { first_name: 'Imara', last_name: 'Vantongeren', phone: '020 1111' })
  const readContact = () => callApi('GET', `/api/contacts/${id}`)
  await open(`/crm/contacts/${id}`)
  const link = page.getByRole('link', { name: '020 1111' })
  const { x, y, width } = (await link.boundingBox()) ?? { x: 0, y: 0, width: 0 }
  const tabs = page.getByRole('navigation', { name: 'About this contact' })
  const tabsBefore = await tabs.boundingBox()

  await page.mouse.click(x + width + 20, y + 4) // beside the link
  const phone = page.getByRole('textbox', { name: 'Phone' })
  await phone.waitFor()
  expect(await tabs.boundingBox()).toEqual(tabsBefore)
  await page.keyboard.type('020 2222')
  await page.keyboard.press('Enter')
  await expectToast('Contact updated')
  await page.getByRole('link', { name: '020 2222' }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Edit phone')

  await page.keyboard.press('Enter')
  await page.keyboard.type('020 3333')
  page.on('dialog', (dialog) => void dialog.accept()) // the browser asks before it discards the typed text
  await page.reload()
  await expect.poll(() => phone.inputValue()).toBe('020 3333')
  const noticeBox = await page.getByText('What you typed before is back').locator('..').boundingBox()
  const noticeBottom = (noticeBox?.y ?? 0) + (noticeBox?.height ?? 0) // the field begins at most 12 px below it
  expect(((await phone.boundingBox())?.y ?? Infinity) - noticeBottom).toBeLessThanOrEqual(12)
  await phone.press('Escape')
  await page.getByRole('link', { name: '020 2222' }).waitFor()

  await click('Show 10 empty fields')
  await click('Edit lead source')
  await page.getByRole('option', { name: 'Partner Referral' }).click()
  await expect.poll(readContact).toMatchObject({ phone: '020 2222', lead_source: 'Partner Referral' })
  await page.getByRole('combobox', { name: 'Lead source' }).waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await expect.poll(readContact).toMatchObject({ phone: '020 2222', lead_source: '' })
})

test('a long email is cut off before the buttons that appear when the mouse is over its row', async () => {
  const { page, open, add } = await workspaces.openEmpty()
  const email = `${'imara.vantongeren.'.repeat(3)}a@quillstone-dental-practice-group.example`
  await open(`/crm/contacts/${await add('/api/contacts', { first_name: 'Imara', last_name: 'Vantongeren', email })}`)
  const link = page.getByRole('link', { name: email })
  await link.hover()
  const edit = page.getByRole('button', { name: 'Edit email' })
  const buttonsLeft = await edit.evaluate((button) => button.parentElement?.getBoundingClientRect().left ?? 0)
  expect(await link.evaluate((element) => element.getBoundingClientRect().right)).toBeLessThanOrEqual(buttonsLeft)
  expect(await link.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true)
})
