// A day with files in a browser: a user sorts the files of a project, finds one by a word in it, downloads some as a zip, and attaches
// files to a contact.
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { unzip } from '#server/testing/zip.ts'
import { addContacts, signIn, signUp } from './accounts.ts'
import { collectConsoleErrors } from './browser.ts'
import { chooseFiles } from './drop.ts'
import { uploadFile } from './files.ts'
import { makePdf } from './pdf.ts'
import { closeContexts, getBrowser, url } from './shared.ts'

const survey = makePdf([['Survey of the waiting room'], ['The skirting stays, the radiator moves.']])
let browser: Browser
let context: BrowserContext
let page: Page
let consoleErrors: string[]
let contact: string
beforeAll(async () => {
  browser = await getBrowser()
  await signUp(url)
  context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  page = await context.newPage()
  page.setDefaultTimeout(10_000)
  consoleErrors = collectConsoleErrors(page)
  await signIn(page.request, url)
  ;[contact = ''] = await addContacts(page, url, [{ first_name: 'Imara', last_name: 'Vantongeren' }])
  const add = async (path: string, data: object): Promise<string> => {
    const response = await page.request.post(`${url}${path}`, { headers: { origin: url }, data })
    return (await response.json()).id
  }
  const projects = await add('/api/folders', { name: 'Projects' })
  const drawings = await add('/api/folders', { name: 'Drawings', parent_folder_id: projects })
  const upload = (file_name: string, folder_id: string | null, bytes: Buffer | string): Promise<string> =>
    uploadFile(page.request, url, { file_name, folder_id }, Buffer.from(bytes))
  await upload('Desk.txt', drawings, 'front and side')
  await upload('Survey.pdf', projects, survey)
  for (const name of ['Seats.txt', 'Steps.txt', 'Stairs.txt']) await upload(name, null, `about ${name}`)
})
afterAll(closeContexts)

const link = (name: string): Locator => page.getByRole('link', { name, exact: true })
const button = (name: string): Locator => page.getByRole('button', { name, exact: true })
const attachment = (name: string): Locator => page.getByRole('region', { name: 'Attachments' }).getByRole('link', { name, exact: true })
const toast = (title: string): Locator => page.getByRole('region', { name: 'Notifications' }).getByText(title, { exact: true }).last()
/** Runs the action, which starts a download, and returns the name and the bytes of the file. */
async function download(action: () => Promise<unknown>): Promise<{ name: string; bytes: Buffer }> {
  const [started] = await Promise.all([page.waitForEvent('download'), action()])
  return { name: started.suggestedFilename(), bytes: await buffer(await started.createReadStream()) }
}
const findCentre = async (element: Locator): Promise<{ x: number; y: number }> => {
  await element.waitFor()
  const { x, y, width, height } = (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  return { x: x + width / 2, y: y + height / 2 }
}
const openFiles = async (): Promise<void> => {
  await page.goto(`${url}/files`)
  await link('Projects').waitFor()
}

test('the user renames a file with F2, and the name is found in the list', async () => {
  await openFiles()
  await link('Seats.txt').focus()
  await page.keyboard.press('F2')
  const field = page.getByRole('dialog', { name: 'Rename file' }).getByLabel('Name')
  // the name is selected without its extension, so that typing keeps the extension
  await expect.poll(() => field.evaluate((input: HTMLInputElement) => input.value.slice(0, input.selectionEnd ?? 0))).toBe('Seats')
  await page.keyboard.type('Twelve seats')
  await page.keyboard.press('Enter')
  await toast('File renamed').waitFor()
  await link('Twelve seats.txt').waitFor()
})

test('the user selects two files with the keyboard, deletes them and undoes the deletion', async () => {
  await openFiles()
  await link('Steps.txt').focus()
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+ArrowDown')
  await button('Delete 2 files').waitFor()
  await page.keyboard.press('Delete')
  await toast('2 files deleted').waitFor()
  await expect.poll(() => link('Steps.txt').count()).toBe(0)
  await page.keyboard.press('Control+z')
  await toast('Undone: 2 files deleted').waitFor()
  await link('Steps.txt').waitFor()
})

test('the user moves files into a folder, in a dialog and by dragging', async () => {
  await openFiles()
  await link('Steps.txt').focus()
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+ArrowDown')
  await button('Delete 2 files').waitFor()
  await page.keyboard.press('m')
  const dialog = page.getByRole('dialog', { name: 'Move 2 files' })
  await dialog.getByRole('treeitem', { name: 'Projects' }).getByRole('button', { name: 'Projects', exact: true }).click()
  await dialog.getByRole('button', { name: 'Move to Projects' }).click()
  await toast('2 files moved to Projects').waitFor()
  await dialog.waitFor({ state: 'hidden' }) // an open dialog keeps shortcuts of the page from running
  await expect.poll(() => link('Steps.txt').count()).toBe(0)
  await page.keyboard.press('Control+z')
  await toast('Undone: 2 files moved to Projects').waitFor()
  const [file, folder] = [await findCentre(link('Steps.txt')), await findCentre(link('Projects'))]
  await page.mouse.move(file.x, file.y)
  await page.mouse.down()
  await page.mouse.move(file.x + 12, file.y - 12, { steps: 3 })
  await page.mouse.move(folder.x, folder.y, { steps: 6 })
  await page.mouse.up()
  await toast('File moved to Projects').waitFor()
  await link('Projects').click()
  await link('Steps.txt').waitFor()
  await link('Survey.pdf').waitFor()
})

test('the user downloads a folder as a zip that contains its files and folders', async () => {
  await openFiles()
  await button('More for Projects').click()
  const zip = await download(() => page.getByRole('menuitem', { name: 'Download as zip' }).click())
  await toast('Download started').waitFor()
  expect(zip.name).toBe('Projects.zip')
  const entries = await unzip(zip.bytes)
  const files = [...entries].flatMap(([path, content]) => (content ? [[path, content.toString('latin1')]] : []))
  expect(Object.fromEntries(files)).toEqual({
    'Projects/Survey.pdf': survey.toString('latin1'),
    'Projects/Steps.txt': 'about Steps.txt',
    'Projects/Drawings/Desk.txt': 'front and side',
  })
})

test('the user deletes a folder with its contents, undoes the deletion, deletes it again and restores it from the trash', async () => {
  await openFiles()
  const deleteFolder = async (): Promise<void> => {
    await button('More for Projects').click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await toast('Folder deleted').waitFor()
    await expect.poll(() => link('Projects').count()).toBe(0)
  }
  await deleteFolder()
  await button('Undo').last().click()
  await toast('Undone: Folder deleted').waitFor()
  await link('Projects').waitFor()
  await deleteFolder()
  await page.getByRole('navigation', { name: 'More' }).getByRole('link', { name: 'Trash' }).click()
  await expect.poll(() => page.getByRole('button', { name: /^Restore / }).count()).toBe(1) // the contents are restored with the folder
  await button('Restore Projects').click()
  await toast('Restored').waitFor()
  await openFiles()
  await link('Projects').click()
  await link('Survey.pdf').waitFor()
  await link('Drawings').click()
  await link('Desk.txt').waitFor()
})

test('the user finds a file by a word in it, on the Files screen and in the palette', async () => {
  await openFiles()
  await expect
    .poll(async () => {
      const found = await page.request.get(`${url}/api/files?search=radiator`)
      return (await found.json()).rows.length
    })
    .toBe(1) // the text is read by a job after the upload
  await page.getByRole('searchbox', { name: 'Search files and what is in them' }).fill('radiator')
  await link('Survey.pdf').waitFor()
  await expect.poll(() => link('Twelve seats.txt').count()).toBe(0)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('radiator moves')
  await page.getByRole('option', { name: /Survey\.pdf/ }).click()
  await page.waitForURL('**/files/file/**')
  await page.getByRole('heading', { name: 'Survey.pdf' }).waitFor()
})

test('the user attaches two files to a contact and downloads one', async () => {
  await page.goto(`${url}/crm/contacts/${contact}`)
  await page.getByText('No files yet.', { exact: false }).waitFor()
  await chooseFiles(page.getByRole('button', { name: /^Drop files here/ }), [
    { name: 'Offer.pdf', mimeType: 'application/pdf', buffer: survey },
    { name: 'Questions.txt', mimeType: 'text/plain', buffer: Buffer.from('Who orders the glass?') },
  ])
  await attachment('Offer.pdf').waitFor()
  await link('Attachments 2').waitFor()
  await page.getByText('File uploaded:').nth(1).waitFor()
  const offer = await download(() => button('Download Offer.pdf').click())
  await toast('Download started').waitFor()
  expect(offer).toEqual({ name: 'Offer.pdf', bytes: survey })
})

test('a deleted attachment also disappears in a second tab; another is opened from the palette, deleted with its contact, and restored', async () => {
  const second = await context.newPage()
  await second.goto(`${url}/crm/contacts/${contact}`)
  await second.getByRole('link', { name: 'Attachments 2' }).waitFor()
  await page.bringToFront() // a tab in the background draws one frame a second, so a click in it takes two seconds
  await button('Delete Questions.txt').click()
  await toast('File deleted').waitFor()
  await second.getByRole('link', { name: 'Attachments 1' }).waitFor()
  await second.close()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('Offer.pdf')
  await page.getByRole('option', { name: /Offer\.pdf.*Imara Vantongeren/ }).click()
  await page.getByRole('heading', { name: 'Offer.pdf' }).waitFor()
  await page.goto(`${url}/crm/contacts/${contact}`)
  await button('More actions').click()
  await page.getByRole('menuitem', { name: 'Delete contact' }).click()
  await toast('Contact deleted').waitFor()
  await page.goto(`${url}/trash`)
  await page.getByText('File of Imara Vantongeren').waitFor()
  // two rows: the contact (restoring it restores Offer.pdf too), and Questions.txt, which was deleted before the contact
  await expect.poll(() => page.getByRole('button', { name: /^Restore / }).count()).toBe(2)
  await button('Restore Imara Vantongeren').click()
  await toast('Restored').waitFor()
  await page.goto(`${url}/crm/contacts/${contact}`)
  await attachment('Offer.pdf').waitFor()
  await link('Attachments 1').waitFor()
  // because of a live update, the page of the deleted contact may request the contact once more, which returns 404
  expect(consoleErrors.filter((text) => !text.includes('status of 404'))).toEqual([])
})
