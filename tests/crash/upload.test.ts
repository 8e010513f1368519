// The server is killed while a browser uploads a file. The upload continues by itself when the server runs again.
import { createHash, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import type { Browser } from 'playwright-core'
import { signIn, signUp } from '../journeys/accounts.ts'
import { openBrowser } from '../journeys/browser.ts'
import { dropOn, holdParts, makeFolder } from '../journeys/drop.ts'
import { installProduct, type Product } from '../product.ts'

let product: Product
let browser: Browser
const dropFolder = makeFolder()
beforeAll(async () => {
  product = await installProduct()
  await product.start()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await product?.[Symbol.asyncDispose]()
  dropFolder[Symbol.dispose]()
})

test(
  'an upload in the browser continues after the server was killed, and the stored file has the same bytes',
  { timeout: 180_000 },
  async () => {
    onTestFailed(() => console.log(product.log()))
    const bytes = randomBytes(40 * 1024 * 1024) // five parts
    const path = join(dropFolder.path, 'walkthrough.mp4')
    writeFileSync(path, bytes)
    await signUp(product.url)
    const page = await browser.newPage()
    await signIn(page.request, product.url)
    await page.goto(`${product.url}/files`)
    await page.getByText('choose from this computer').waitFor()
    const sendNextParts = await holdParts(page, 1) // all parts but the first wait
    await dropOn(page, [path])
    const panel = page.getByRole('region', { name: 'Uploads' })
    await panel.getByText('20%', { exact: true }).waitFor() // the first part is sent: 8 of 40 MiB

    process.kill(product.serverProcessId(), 'SIGSTOP') // so that the next parts are still being sent when the server is killed
    sendNextParts()
    await panel.getByText(/^(?:2[1-9]|[3-8]\d)%$/).waitFor() // more than the first part, and at most 80 %, because three parts are sent at the same time
    process.kill(product.serverProcessId(), 'SIGKILL')
    await product.exited()
    await product.start()
    await panel.getByText('1 file uploaded').waitFor({ timeout: 60_000 })

    const { rows } = await (await page.request.get(`${product.url}/api/files`)).json()
    expect(rows).toHaveLength(1)
    const content = await (await page.request.get(`${product.url}/api/files/${rows[0].id}/content`)).body()
    expect(createHash('sha256').update(content).digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'))
  },
)
