// On a phone, by touch: an AI is connected, an answer is stopped and written again, its file is saved, a picture is made, and a file is
// analyzed.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { startAiServer, type AiServer } from '#server/testing/ai-server.ts'
import { signIn, signUp } from './accounts.ts'
import { collectConsoleErrors } from './browser.ts'
import { uploadFile } from './files.ts'
import { makePdf } from './pdf.ts'
import { closeContexts, getBrowser, url } from './shared.ts'

let ai: AiServer
let page: Page
let consoleErrors: string[]
beforeAll(async () => {
  ai = await startAiServer()
  await signUp(url)
  const context = await (await getBrowser()).newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await signIn(context.request, url)
  page = await context.newPage()
  consoleErrors = collectConsoleErrors(page)
})
afterAll(async () => {
  await closeContexts()
  await ai[Symbol.asyncDispose]()
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const answer = () => page.getByRole('article', { name: 'Assistant' }).last()

test('an AI is connected, the page is reloaded during an answer, the answer is stopped and written again, and its file is saved', async () => {
  await page.goto(`${url}/account#ai`)
  const section = page.locator('#ai')
  await section.getByLabel('Address').fill(ai.baseUrl)
  await section.getByLabel('Model', { exact: true }).fill('small')
  await section.getByLabel('Model for pictures').fill('painter')
  await section.getByRole('button', { name: 'Connect' }).tap()
  await page.getByText('AI connection saved').waitFor()
  await section.getByText('The connection works.').waitFor()

  const restOfAnswer = Promise.withResolvers<void>()
  ai.setRespond(() => [{ text: 'The first half' }, { wait: restOfAnswer.promise }])
  await page.goto(`${url}/assistant`)
  await page.getByRole('textbox', { name: 'Message' }).fill('Tell me a long story')
  await button('Send').tap()
  await answer().getByText('The first half').waitFor()
  await expect.poll(() => page.url()).toContain('/assistant/')
  await page.reload()
  await answer().getByText('The first half').waitFor()
  await button('Stop').tap()
  await button('Send').waitFor()
  restOfAnswer.resolve()
  ai.setRespond(() => 'The whole story.\nbase64-file:story.txt|text/plain|x|T25jZSB1cG9u')
  await answer().getByRole('button', { name: 'Retry' }).tap()
  await answer().getByText('The whole story.').waitFor()
  const download = page.waitForEvent('download')
  await answer().getByRole('button', { name: 'Download story.txt' }).tap()
  expect((await download).suggestedFilename()).toBe('story.txt')
  await answer().getByRole('button', { name: 'Save to Files: story.txt' }).tap()
  await page.getByRole('dialog').getByRole('button', { name: 'Save to Files' }).tap()
  await page.getByText('Saved to Files').waitFor()
  expect(consoleErrors).toEqual([])
})

test('a picture is made from a description and found in Files', async () => {
  ai.setRespond(undefined) // the stand-in draws a picture
  await page.goto(`${url}/assistant`)
  await button('Generate image').tap()
  const dialog = page.getByRole('dialog', { name: 'Generate image' })
  await dialog.getByPlaceholder('Describe the image you want to create...').fill('Oak shelves')
  await dialog.getByRole('button', { name: /^Generate/ }).tap()
  await page.getByText('Your AI-generated image has been saved to your files.').waitFor()
  await page.goto(`${url}/files`)
  await page
    .getByText(/ai-generated-\d+\.png/)
    .first()
    .waitFor()
  expect(consoleErrors).toEqual([])
})

test('a PDF is analyzed, and a passage opens its place in the file', async () => {
  const pages = [['The desk is made in two parts.'], ['Delivery is through the courtyard on 12 May.']]
  const id = await uploadFile(page.request, url, { file_name: 'offer.pdf' }, makePdf(pages))
  ai.setRespond(() => 'An **offer** for a desk.\n\n> Delivery is through the courtyard on 12 May.')
  await page.goto(`${url}/files/file/${id}`)
  await page.getByRole('article', { name: 'Page 1', exact: true }).waitFor()
  await button('More actions').tap()
  await page.getByRole('menuitem', { name: 'Analyze with AI' }).tap()
  await page.getByRole('region', { name: 'Based on these passages' }).getByRole('button').tap()
  await page.getByRole('article', { name: 'Page 2' }).locator('[data-active]').waitFor()
  expect(consoleErrors).toEqual([])
})
