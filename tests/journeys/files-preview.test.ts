// The preview of files in a browser: images, PDFs, texts, sounds, other types, and files with scripts in them.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { signIn, signUp } from './accounts.ts'
import { collectConsoleErrors } from './browser.ts'
import { uploadFile } from './files.ts'
import { makePdf, makeScannedPdf } from './pdf.ts'
import { closeContexts, getBrowser, url } from './shared.ts'

let browser: Browser
let context: BrowserContext
let folder: string
beforeAll(async () => {
  browser = await getBrowser()
  await signUp(url)
  context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  await signIn(context.request, url)
  const response = await context.request.post(`${url}/api/folders`, { headers: { origin: url }, data: { name: 'Quillstone Dental' } })
  folder = (await response.json()).id
})
afterAll(closeContexts)

/** Opens a page. The test fails if its console has an error or a warning, such as a violation of the content security policy. */
async function openPage(): Promise<Page> {
  const page = await context.newPage()
  const consoleErrors = collectConsoleErrors(page)
  onTestFinished(async () => {
    await page.close()
    expect(consoleErrors).toEqual([])
  })
  return page
}

const upload = (name: string, bytes: Buffer | string): Promise<string> =>
  uploadFile(context.request, url, { file_name: name, folder_id: folder }, Buffer.from(bytes))
const open = async (page: Page, id: string, parameters = ''): Promise<void> => {
  await page.goto(`${url}/files/file/${id}${parameters}`)
}

const pngOfOnePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Makes a silent sound of some seconds. */
function makeWav(seconds: number): Buffer {
  const rate = 8000
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + rate * seconds, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16) // the length of the format
  header.writeUInt16LE(1, 20) // uncompressed
  header.writeUInt16LE(1, 22) // one channel
  header.writeUInt32LE(rate, 24) // samples per second
  header.writeUInt32LE(rate, 28) // bytes per second
  header.writeUInt16LE(1, 32) // bytes per sample
  header.writeUInt16LE(8, 34) // bits per sample
  header.write('data', 36)
  header.writeUInt32LE(rate * seconds, 40)
  return Buffer.concat([header, Buffer.alloc(rate * seconds, 128)])
}

const offer = Array.from({ length: 40 }, (_, index) => [
  `Part ${index + 1} of the offer`,
  index === 30 ? 'Towards the entrance there is a lowered section.' : 'The desk is made in two parts.',
])

test('a file is opened from the list with the keyboard, its neighbours are opened with J and K, and Escape returns to its row', async () => {
  await upload('a wall.png', pngOfOnePixel)
  await upload('b notes.txt', 'Ring the bell twice.')
  await upload('c drawings.dwg', Buffer.from([0x41, 0x43, 0x00, 0x01, 0xff]))
  const page = await openPage()
  await page.goto(`${url}/files/folder/${folder}?sort=file_name`)
  await page.getByRole('link', { name: 'a wall.png' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'a wall.png' }).waitFor()
  const image = page.getByRole('img', { name: 'a wall.png' })
  await expect.poll(() => image.evaluate((element) => element instanceof HTMLImageElement && element.naturalWidth)).toBe(1)
  await page.keyboard.press('ArrowRight')
  await page.getByText('Ring the bell twice.').waitFor()
  await page.keyboard.press('j')
  await page.getByRole('heading', { name: 'No preview for this type' }).waitFor()
  await page.keyboard.press('k')
  await page.getByText('Ring the bell twice.').waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL(`**/files/folder/${folder}?sort=file_name`)
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('b notes.txt')
})

test('a PDF shows only its visible pages, opens a page by its number, and its text can be selected', async () => {
  const id = await upload('offer.pdf', makePdf(offer))
  const page = await openPage()
  const foreignAddresses: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) foreignAddresses.push(request.url())
  })
  const workerScript = page.waitForResponse((response) => response.url().includes('pdf.worker'))
  await open(page, id)
  await page.getByRole('article', { name: 'Page 1', exact: true }).getByText('Part 1 of the offer').waitFor()
  await page.getByText('of 40').waitFor()
  expect(await page.getByRole('article').count()).toBeLessThan(6)
  expect((await workerScript).headers()['content-security-policy']).toBe("default-src 'none'; script-src 'self'; connect-src 'self'")
  await expect.poll(() => countDarkPixels(page, 1)).toBeGreaterThan(100)
  await page.getByRole('textbox', { name: 'Page' }).fill('31')
  await page.keyboard.press('Enter')
  await page.getByRole('article', { name: 'Page 31' }).getByText('a lowered section').selectText()
  expect(await page.evaluate(() => getSelection()?.toString())).toContain('lowered section')
  await expect.poll(() => page.getByRole('textbox', { name: 'Page' }).inputValue()).toBe('31')
  expect(await page.getByRole('article', { name: 'Page 1', exact: true }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.waitForURL(`**/files/folder/${folder}`)
  await expect.poll(() => page.workers().length).toBe(0)
  expect(foreignAddresses).toEqual([])
})

test('a search in a PDF lists the places that match, shows and marks the first one, and shows the place that is clicked', async () => {
  const pages = offer.map((lines, index) => (index === 10 ? [...lines, 'A lowered section for the ramp.'] : lines))
  const id = await upload('searched.pdf', makePdf(pages))
  const page = await openPage()
  await open(page, id, '?find=lowered+section')
  const panel = page.getByRole('complementary', { name: 'In this file' })
  await panel.getByRole('button', { name: /^Page 11 / }).waitFor()
  expect(await panel.getByRole('listitem').count()).toBe(2)
  await page.getByRole('article', { name: 'Page 11' }).locator('[data-active]').waitFor()
  await panel.getByRole('button', { name: /^Page 31 / }).click()
  const mark = page.getByRole('article', { name: 'Page 31' }).locator('[data-active]')
  await expect.poll(async () => Math.round((await mark.boundingBox())?.width ?? 0)).toBeGreaterThan(50)
  await page.keyboard.press('/')
  await page.keyboard.type('offer')
  await expect.poll(() => panel.getByRole('listitem').count()).toBe(40)
  await expect.poll(() => page.getByRole('textbox', { name: 'Page' }).inputValue()).toBe('1')
  await page.getByRole('searchbox').fill('zanzibar')
  await panel.getByText('“zanzibar” is not in this file.').waitFor()
})

/** Counts the dark pixels in the picture of a page. */
const countDarkPixels = (page: Page, number: number): Promise<number> =>
  page
    .getByRole('article', { name: `Page ${number}`, exact: true })
    .locator('canvas')
    .evaluate((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement)) return 0
      const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
      let count = 0
      for (let index = 0; index < data.length; index += 4) if ((data[index] ?? 255) < 100) count += 1
      return count
    })

test('a scanned picture and Japanese letters in a PDF are shown, with the decoders and character maps of our own build', async () => {
  const id = await upload('scan.pdf', makeScannedPdf())
  const page = await openPage()
  await open(page, id)
  await page.getByRole('article', { name: 'Page 1' }).getByText('あい').waitFor()
  await expect.poll(() => countDarkPixels(page, 1)).toBeGreaterThan(10_000)
})

test('before the first page of a large PDF is shown, only a few of its byte ranges are loaded', async () => {
  const pages = Array.from({ length: 3 }, (_, index) => [`Page ${index + 1}`])
  const id = await upload('large.pdf', makePdf(pages, { unusedBytes: 5_000_000 }))
  const page = await openPage()
  const ranges: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/content')) ranges.push(request.headers()['range'])
  })
  await open(page, id)
  await page.getByRole('article', { name: 'Page 1', exact: true }).getByText('Page 1').waitFor()
  const requestedBytes = ranges.filter((range) => range !== undefined).map(countBytes)
  expect(requestedBytes.length).toBeGreaterThan(0)
  expect(requestedBytes.reduce((sum, count) => sum + count, 0)).toBeLessThan(1_500_000) // of 5,000,000
})

function countBytes(range = ''): number {
  const [start = 0, end = 0] = range.replace('bytes=', '').split('-').map(Number)
  return end - start + 1
}

test('a PDF with a password asks for it in a field with the focus, and says when it is wrong', async () => {
  const id = await upload('contract.pdf', makePdf(offer.slice(0, 2), { password: 'oak' }))
  const page = await openPage()
  await open(page, id)
  const password = page.getByLabel('Password of the file')
  const isFocused = () => password.evaluate((element) => element === document.activeElement)
  await expect.poll(isFocused).toBe(true)
  await page.keyboard.type('ash')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByText('This password does not open the file').waitFor()
  await expect.poll(isFocused).toBe(true)
  await page.keyboard.type('oak') // the right password replaces the wrong one, which is selected in the field
  await page.keyboard.press('Enter')
  await page.getByText('Part 1 of the offer').waitFor()
  expect(await password.count()).toBe(0)
})

test('the preview of a damaged file says that it cannot be shown, and offers the download', async () => {
  const pdf = await upload('broken.pdf', '%PDF-1.7\nnothing')
  const png = await upload('broken.png', 'no picture')
  const wav = await upload('broken.wav', 'no sound')
  const page = await openPage()
  for (const [id, title] of [
    [pdf, 'This PDF is damaged'],
    [png, 'This image cannot be shown'],
    [wav, 'This browser cannot play the file'],
  ] as const) {
    await open(page, id)
    await page.getByRole('heading', { name: title }).waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('region', { name: 'Preview' }).getByRole('button', { name: 'Download' }).click()
    expect((await download).suggestedFilename()).toMatch(/^broken\./)
  }
})

test('a sound of 60 s can be played from the 40th second', async () => {
  const id = await upload('memo.wav', makeWav(60))
  const page = await openPage()
  await open(page, id)
  const player = page.locator('audio')
  await expect.poll(() => player.evaluate((audio) => audio instanceof HTMLAudioElement && audio.duration)).toBe(60)
  const time = await player.evaluate(async (audio) => {
    if (!(audio instanceof HTMLAudioElement)) return 0
    audio.muted = true
    const seeked = new Promise((resolve) => audio.addEventListener('seeked', resolve, { once: true }))
    audio.currentTime = 40
    await seeked
    await audio.play()
    return audio.currentTime
  })
  expect(time).toBeGreaterThanOrEqual(40)
})

test('scripts in a file do not run: markup is shown as text', async () => {
  const script = '<script>document.title = "run"</script><img src=x onerror="document.title = \'run\'">'
  const page = await openPage()
  for (const [name, content] of [
    ['page.html', `<!doctype html><h1>Hello</h1>${script}`],
    ['drawing.svg', `<svg xmlns="http://www.w3.org/2000/svg" onload="document.title = 'run'">${script}</svg>`],
    ['mail.eml', `Subject: Hello\nContent-Type: text/html\n\n${script}`],
  ] as const) {
    await open(page, await upload(name, content))
    await page.getByText(script).waitFor()
    expect(await page.title()).toBe(`${name} - Foyer`)
    expect(await page.locator('main script, main svg[onload], main img').count()).toBe(0)
  }
})
