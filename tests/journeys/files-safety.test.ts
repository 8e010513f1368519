// Files of strangers in a real browser: whatever they contain and however they are opened, no script in them runs. A polyglot is a file
// that is valid as two types, such as an image and a page.
import { crc32, deflateSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { File } from '#contract/files.ts'
import { Upload } from '#contract/uploads.ts'
import { signIn, signUp } from './accounts.ts'
import { closeContexts, getBrowser, url } from './shared.ts'

/** A script that reports itself to the test from every place where it can run. */
const script = (name: string): string => `console.log('script of ${name} ran in ' + self.origin); self.postMessage(0);`
const html = (name: string): string => `<!doctype html><title>x</title><body onload="${script(name)}"><script>${script(name)}</script>`
const svg = (name: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" onload="${script(name)}"><script>${script(name)}</script></svg>`
const xhtml = (name: string): string =>
  `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><script>${script(name)}</script></head><body/></html>`
const pdf = (name: string): string =>
  `%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert("${name}");${script(name)})>>>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj trailer<</Root 1 0 R>>\n%%EOF`
/** A valid image of one pixel. */
const png = createPng()

/** Content by the name of its file. */
const contents: Record<string, string | Buffer> = {
  'page.html': html('page.html'),
  'page.HTML': html('page.HTML'),
  'picture.svg': svg('picture.svg'),
  'page.xhtml': xhtml('page.xhtml'),
  'page.xml': xhtml('page.xml'),
  'page.mht': `MIME-Version: 1.0\nContent-Type: text/html\n\n${html('page.mht')}`,
  page: html('page'),
  'page.png': html('page.png'),
  'page.pdf': html('page.pdf'),
  'page.txt': html('page.txt'),
  'picture.png.svg': svg('picture.png.svg'),
  'page\u202Egnp.html': html('reversed'), // the first character after "page" reverses the display of the letters after it
  'code.js': script('code.js'),
  'code.mjs': script('code.mjs'),
  'code.css': `body{background:url("javascript:${script('code.css')}")}`,
  'polyglot.gif': `GIF89a/*${html('polyglot.gif')}*/=1;${script('polyglot.gif')}`,
  'polyglot.html': `GIF89a${html('polyglot.html')}`,
  'polyglot.png': Buffer.concat([png, Buffer.from(html('polyglot.png'))]),
  'late.png': Buffer.concat([png, Buffer.alloc(5000, ' '), Buffer.from(html('late.png'))]),
  'script.pdf': pdf('script.pdf'),
  'picture.png': png,
}

let browser: Browser
let context: BrowserContext
let files: File[]
const scripts: string[] = []
beforeAll(async () => {
  browser = await getBrowser()
  await signUp(url)
  context = await openContext(scripts)
  await signIn(context.request, url)
  files = await Promise.all(Object.entries(contents).map(([name, content]) => upload(name, Buffer.from(content))))
})
afterAll(closeContexts)

/** Opens a context that adds the reports of all scripts to `reports`. */
async function openContext(reports: string[]): Promise<BrowserContext> {
  const opened = await browser.newContext({ acceptDownloads: false })
  opened.on('console', (message) => {
    if (message.text().startsWith('script of')) reports.push(message.text())
  })
  return opened
}

/** Uploads a file with the type text/html, which must have no influence on the type with which the file is sent. */
async function upload(file_name: string, bytes: Buffer): Promise<File> {
  const send = async (method: 'POST' | 'PUT', path: string, data?: object | Buffer): Promise<unknown> => {
    const headers = { origin: url, ...(Buffer.isBuffer(data) && { 'content-type': 'application/octet-stream' }) }
    const response = await context.request.fetch(`${url}${path}`, { method, headers, ...(data && { data }) })
    if (!response.ok()) throw new Error(await response.text())
    return response.status() === 204 ? undefined : response.json()
  }
  const { id } = Upload.parse(await send('POST', '/api/uploads', { file_name, file_size: bytes.byteLength, mime_type: 'text/html' }))
  await send('PUT', `/api/uploads/${id}/parts/0`, bytes)
  return File.parse(await send('POST', `/api/uploads/${id}/finish`))
}

/** Returns the addresses at which a browser can open a file. */
async function listAddresses({ id, storage_path }: File): Promise<string[]> {
  const response = await context.request.post(`${url}/functions/v1/download-from-s3`, {
    headers: { origin: url },
    data: { s3Key: storage_path },
  })
  const { url: link }: { url: string } = await response.json()
  return [`/api/files/${id}/content`, `/api/files/${id}/content?disposition=inline`, new URL(link).pathname]
}

/** The source of a page that loads each of the addresses as code. It is text, because the test's own compiler would change the imports. */
const loadAsCode = (addresses: string[]): string => `
  const workers = (address) => ['classic', 'module'].map((type) => new Promise((done) => {
    const worker = new Worker(address, { type })
    worker.onerror = worker.onmessage = done
  }))
  window.attempts = Promise.allSettled(${JSON.stringify(addresses)}.flatMap((address) => [
    import(address), navigator.serviceWorker.register(address, { scope: '/' }), ...workers(address),
  ]))`

/** Opens a page of our origin that has no content security policy, and that shows and loads these addresses in every way a browser has. */
async function embed(addresses: string[], page: Page): Promise<void> {
  const elements = addresses.map(
    (each) => `<iframe src="${each}"></iframe><iframe src="${each}" sandbox="allow-scripts"></iframe><object data="${each}"></object>
      <embed src="${each}"><img src="${each}"><link rel="stylesheet" href="${each}"><script src="${each}"></script>
      <script type="module" src="${each}"></script>`,
  )
  const body = `<!doctype html>${elements.join('')}<script>${loadAsCode(addresses)}</script>`
  await page.route(`${url}/without-policy`, (route) => route.fulfill({ contentType: 'text/html', body }))
  await page.goto(`${url}/without-policy`)
  await page.evaluate('window.attempts')
  await page.close()
}

test('control: when files are sent without our headers, their scripts run and this test notices them', async () => {
  const reports: string[] = []
  const control = await openContext(reports)
  const types: Record<string, string> = { svg: 'image/svg+xml', xhtml: 'application/xhtml+xml', html: 'text/html', js: 'text/javascript' }
  await control.route(`${url}/control/*`, (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? ''
    return route.fulfill({ contentType: types[name.split('.').at(-1) ?? ''] ?? '', body: contents[name] ?? '' })
  })
  const names = ['page.html', 'picture.svg', 'page.xhtml', 'polyglot.html', 'code.js']
  await embed(
    names.map((name) => `/control/${name}`),
    await control.newPage(),
  )
  for (const name of names) await expect.poll(() => reports).toContain(`script of ${name} ran in ${url}`)
  await control.close()
})

test('no script runs when a file is opened by its address, by the address that shows it inline, or by a signed link', async () => {
  const addresses = (await Promise.all(files.map(listAddresses))).flat()
  const openNext = async (): Promise<void> => {
    const page = await context.newPage()
    for (let address = addresses.pop(); address; address = addresses.pop()) {
      const response = await page.goto(url + address).catch(() => undefined) // `goto` rejects when the file is downloaded
      if (!response) continue
      expect(response.headers()['content-type']).toBe('image/png') // only images are shown, everything else is downloaded
      expect(await page.evaluate(() => self.origin)).toBe('null') // the origin of a page in a sandbox
    }
    await page.close()
  }
  await Promise.all(Array.from({ length: 4 }, openNext))
  expect(scripts).toEqual([])
})

test('no script runs when a page of our origin shows or loads a file in any way', async () => {
  // the first address of each file, which only downloads it, is left out to save time
  const addresses = (await Promise.all(files.map(listAddresses))).flatMap((each) => each.slice(1))
  const perPage = Math.ceil(addresses.length / 4)
  await Promise.all([0, 1, 2, 3].map(async (page) => embed(addresses.slice(page * perPage, (page + 1) * perPage), await context.newPage())))
  expect(scripts).toEqual([])
})

/** Creates a PNG of one white pixel. Its checksums are right, so that a browser shows it. */
function createPng(): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.byteLength)
    checksum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, checksum])
  }
  const header = Buffer.from('00000001000000010800000000', 'hex') // width 1, height 1, 8 bits of grey
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from([0, 255]))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
