// Files are uploaded from a real browser: by dropping, with interruptions, and with names that are taken.
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { disconnect, dropOn, holdFilesAfter, holdParts, makeFolder } from './drop.ts'
import { url } from './shared.ts'
import { openWorkspaces, type Workspaces } from './workspace.ts'

let workspaces: Workspaces
const dropFolder = makeFolder()
beforeAll(async () => {
  workspaces = await openWorkspaces()
})
afterAll(async () => {
  await workspaces?.[Symbol.asyncDispose]()
  dropFolder[Symbol.dispose]()
})

const megabyte = 1024 * 1024
const writeFile = (name: string, bytes: number): string => {
  const path = join(dropFolder.path, name)
  writeFileSync(path, randomBytes(bytes))
  return path
}
const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const panelOf = (page: Page) => page.getByRole('region', { name: 'Uploads' })

async function openFiles() {
  const workspace = await workspaces.openForNewUser()
  const { page, open, callApi } = workspace
  page.on('dialog', (dialog) => void dialog.accept()) // the browser asks before it reloads a page with running uploads
  await open('/files')
  await page.getByText('choose from this computer').waitFor()
  const listFiles = async (): Promise<{ id: string; name: string; size: number }[]> => {
    const files: { id: string; name: string; size: number }[] = []
    let after = ''
    do {
      const { rows, next } = await callApi('GET', `/api/files?limit=200${after && `&after=${encodeURIComponent(after)}`}`)
      if (!Array.isArray(rows)) throw new Error('The list of files has no rows')
      for (const { id, file_name, file_size } of rows) files.push({ id, name: file_name, size: file_size })
      after = typeof next === 'string' ? next : ''
    } while (after !== '')
    return files
  }
  const hashOf = async (id: string): Promise<string> => hash(await (await page.request.get(`${url}/api/files/${id}/content`)).body())
  return { ...workspace, listFiles, hashOf, panel: panelOf(page) }
}

/** The number of files in a dropped folder. */
const fileCount = process.env['FOYER_FULL'] === '1' ? 200 : 60

test(
  'a dropped folder of many files is uploaded, interrupted by a reload, and continued by dropping it again',
  { timeout: 120_000 },
  async () => {
    const { page, panel, listFiles, hashOf, callApi } = await openFiles()
    const folder = join(dropFolder.path, 'Site visit')
    mkdirSync(join(folder, 'before', 'nothing yet'), { recursive: true })
    for (let number = 0; number < fileCount; number += 1)
      writeFile(`Site visit/${number % 2 ? 'before/' : ''}photo-${number}.jpg`, 2000 + number)
    writeFile('Site visit/.DS_Store', 10)

    const continueUploads = await holdFilesAfter(page, 20)
    await dropOn(page, [folder])
    await expect.poll(async () => (await listFiles()).length, { timeout: 30_000 }).toBe(20)
    await panel.getByText(new RegExp(`^Uploading \\d\\d of ${fileCount}$`)).waitFor()
    await page.reload()
    await panel.getByText(`${fileCount - 20} uploads not finished`).waitFor()
    continueUploads()

    await dropOn(page, [folder])
    await panel.getByText(`${fileCount} files uploaded`).waitFor({ timeout: 50_000 })
    const files = await listFiles()
    expect(files.map(({ name }) => name).toSorted()).toEqual(
      Array.from({ length: fileCount }, (_, number) => `photo-${number}.jpg`).toSorted(),
    )
    const sample = files.filter(({ name }) => ['photo-0.jpg', 'photo-29.jpg', `photo-${fileCount - 2}.jpg`].includes(name))
    for (const { id, name } of sample) {
      const path = join(folder, Number(/\d+/.exec(name)) % 2 ? 'before' : '', name)
      expect(await hashOf(id)).toBe(hash(readFileSync(path)))
    }
    const { rows: unfinished } = await callApi('GET', '/api/uploads')
    expect(unfinished).toEqual([])
    await page.getByRole('link', { name: 'Site visit' }).click()
    await page.getByRole('link', { name: 'before' }).click()
    await page.getByRole('link', { name: 'nothing yet' }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'nothing yet' }).waitFor()
    expect(await panel.count()).toBe(0)
  },
)

test('the upload of a large file continues after a pause, after a lost connection and after a reload', async () => {
  const { page, panel, listFiles, hashOf } = await openFiles()
  const path = writeFile('walkthrough.mp4', 25 * megabyte) // four parts
  const sendNextParts = await holdParts(page, 1)
  await dropOn(page, [path])
  await panel.getByText('32%', { exact: true }).waitFor() // one of the parts: 8 of 25 MiB

  await panel.getByRole('button', { name: 'Pause walkthrough.mp4' }).click()
  await panel.getByText('Paused', { exact: true }).waitFor()
  sendNextParts()
  const sendLastParts = await holdParts(page, 2)
  await panel.getByRole('button', { name: 'Continue walkthrough.mp4' }).click()
  await panel.getByText('64%', { exact: true }).waitFor()

  const connect = await disconnect(page)
  sendLastParts()
  await panel.getByText('Waiting for the connection').first().waitFor()
  const sendFourthPart = await holdParts(page, 3)
  await connect()
  await panel.getByText('96%', { exact: true }).waitFor()

  await page.reload()
  await panel.getByText('Not finished', { exact: true }).waitFor()
  sendFourthPart()
  await panel.getByRole('button', { name: 'Choose the file again' }).waitFor()
  const { x, y } = (await panel.getByText(/^To continue, drop the same file again/).boundingBox()) ?? { x: 0, y: 0 }
  await dropOn(page, [path], { x: x + 5, y: y + 5 })
  await panel.getByText('1 file uploaded').waitFor()
  const [file] = await listFiles()
  expect(file).toMatchObject({ name: 'walkthrough.mp4', size: 25 * megabyte })
  expect(await hashOf(file?.id ?? '')).toBe(hash(readFileSync(path)))
})

test('after a reload, the button Continue reads a dropped folder again and uploads its other files', async () => {
  const { page, panel, listFiles } = await openFiles()
  const folder = join(dropFolder.path, 'Drawings')
  mkdirSync(join(folder, 'old'), { recursive: true })
  for (let number = 0; number < 6; number += 1) writeFile(`Drawings/${number % 2 ? 'old/' : ''}plan-${number}.pdf`, 1000)
  const continueUploads = await holdFilesAfter(page, 2)
  await dropOn(page, [folder])
  await expect.poll(async () => (await listFiles()).length).toBe(2)
  await page.reload()
  continueUploads()
  await panel.getByRole('button', { name: 'Continue', exact: true }).click()
  await panel.getByText('6 files uploaded').waitFor()
  expect((await listFiles()).map(({ name }) => name).toSorted()).toEqual([0, 1, 2, 3, 4, 5].map((number) => `plan-${number}.pdf`))
})

test('for each name that is taken, the user can keep both files, replace the old file or skip the new one', async () => {
  const { page, panel, listFiles, hashOf } = await openFiles()
  const paths = ['wall.jpg', 'door.jpg', 'plan.pdf'].map((name) => writeFile(name, 1000))
  await dropOn(page, paths)
  await panel.getByText('3 files uploaded').waitFor()

  for (const name of ['wall.jpg', 'door.jpg', 'plan.pdf']) writeFile(name, 2000)
  await dropOn(page, [...paths, writeFile('new.txt', 10)])
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The new one is named “wall (2).jpg”').waitFor()
  await dialog.getByRole('checkbox', { name: /Do the same for the 2 other names/ }).uncheck()
  await dialog.getByRole('button', { name: 'Keep both' }).click()
  await page.getByRole('dialog', { name: '“door.jpg” is already here' }).waitFor()
  await dialog.getByRole('checkbox').uncheck()
  await dialog.getByRole('radio', { name: /Replace/ }).check()
  await dialog.getByRole('button', { name: 'Replace' }).click()
  await page.getByRole('dialog', { name: '“plan.pdf” is already here' }).waitFor()
  await dialog.getByRole('radio', { name: /Skip/ }).check()
  await dialog.getByRole('button', { name: 'Skip' }).click()
  await panel.getByText('3 files uploaded').waitFor()
  const files = await listFiles()
  expect(files.map(({ name, size }) => `${name} ${size}`).toSorted()).toEqual([
    'door.jpg 2000',
    'new.txt 10',
    'plan.pdf 1000',
    'wall (2).jpg 2000',
    'wall.jpg 1000',
  ])
  const replaced = files.find(({ name }) => name === 'door.jpg')
  expect(await hashOf(replaced?.id ?? '')).toBe(hash(readFileSync(join(dropFolder.path, 'door.jpg'))))
})

test('when the quota is used up, the panel says so, and Retry uploads the file later', async () => {
  const { page, panel, failRequests, stopFailing, listFiles } = await openFiles()
  await failRequests('POST', '/api/uploads', 'quota_exceeded')
  await dropOn(page, [writeFile('offer.pdf', 1000)])
  await panel.getByText('Not enough space left in your account').waitFor()
  await stopFailing()
  await panel.getByRole('button', { name: 'Retry offer.pdf' }).click()
  await panel.getByText('1 file uploaded').waitFor()
  expect(await listFiles()).toHaveLength(1)
})

test('a second tab offers to finish the uploads of the first tab only after the first tab was closed', async () => {
  const { page, panel } = await openFiles()
  const path = writeFile('two-tabs.mp4', 9 * megabyte)
  await holdParts(page, 1)
  await dropOn(page, [path])
  await panel.getByText('88%', { exact: true }).waitFor() // the first part: 8 of 9 MiB
  const otherTab = await page.context().newPage()
  await otherTab.goto(`${url}/files`)
  await otherTab.getByText('choose from this computer').waitFor()
  await otherTab.waitForLoadState('networkidle')
  expect(await panelOf(otherTab).count()).toBe(0)
  await page.close({ runBeforeUnload: false })
  await otherTab.reload()
  await panelOf(otherTab).getByText('Not finished', { exact: true }).waitFor()
  await panelOf(otherTab).getByRole('button', { name: 'Discard two-tabs.mp4' }).click()
  await expect.poll(() => panelOf(otherTab).count()).toBe(0)
  await otherTab.close()
})
