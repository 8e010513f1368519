// Pictures made by the AI, the analysis of files, and the improvement of notes, in a browser with the stand-in of an AI endpoint.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { AiServer } from '#server/testing/ai-server.ts'
import { addContacts, signIn, signUp } from './accounts.ts'
import { connectAi } from './ai.ts'
import { findViolations, wcagTags, widthsAndThemes } from './axe.ts'
import { collectConsoleErrors, tabTo } from './browser.ts'
import { uploadFile } from './files.ts'
import { makePdf } from './pdf.ts'
import { closeContexts, getBrowser, url } from './shared.ts'

let browser: Browser
let context: BrowserContext
let ai: AiServer
let contact: string | undefined
beforeAll(async () => {
  browser = await getBrowser()
  await signUp(url)
  context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  await signIn(context.request, url)
  ai = await connectAi(context.request, url)
  const page = await context.newPage()
  ;[contact] = await addContacts(page, url, [{ first_name: 'Imara', last_name: 'Vantongeren' }])
  await page.close()
})
afterAll(closeContexts)

/** Opens a page. The test fails if its console has an error or a warning, except those that match `expected`. */
async function openPage(expected = /^$/): Promise<Page> {
  const page = await context.newPage()
  const consoleErrors = collectConsoleErrors(page)
  onTestFinished(async () => {
    await page.close()
    expect(consoleErrors.filter((message) => !expected.test(message))).toEqual([])
  })
  return page
}

test('a PDF is analyzed with the keyboard, a passage opens its place, and the stored analysis is shown without a new request', async () => {
  const pages = Array.from({ length: 12 }, (_, index) => [
    `Part ${index + 1} of the offer`,
    index === 8 ? 'Delivery is through the courtyard on 12 May.' : 'The desk is made in two parts.',
  ])
  const id = await uploadFile(context.request, url, { file_name: 'offer.pdf' }, makePdf(pages))
  const dialogShown = Promise.withResolvers<void>()
  ai.setRespond(async () => {
    await dialogShown.promise
    return 'An **offer** for a desk.\n\n> Delivery is through the courtyard on 12 May.\n> A sentence that is not in the file at all.'
  })
  ai.requests.length = 0
  const page = await openPage()
  await page.goto(`${url}/files/file/${id}`)
  await page.getByRole('article', { name: 'Page 1', exact: true }).waitFor()
  await page.keyboard.press('a')
  const dialog = page.getByRole('dialog', { name: 'offer.pdf' })
  await dialog.getByText('The AI is reading the file').waitFor()
  dialogShown.resolve()
  await dialog.getByText('offer', { exact: true }).waitFor()
  await page.getByText('offer.pdf has been analyzed by AI').waitFor()
  const passages = dialog.getByRole('region', { name: 'Based on these passages' }).getByRole('button')
  expect(await passages.allTextContents()).toEqual(['Page 9Delivery is through the courtyard on 12 May.'])
  await tabTo(page, passages)
  await page.keyboard.press('Enter')
  await page.getByRole('article', { name: 'Page 9' }).locator('[data-active]').waitFor()
  expect(new URL(page.url()).searchParams.get('find')).toContain('through the courtyard')
  await page.keyboard.press('a')
  await dialog.getByRole('button', { name: 'Done' }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => dialog.count()).toBe(0)
  expect(ai.requests).toHaveLength(1)
})

test('an analysis that is stopped ends the request to the AI', async () => {
  const id = await uploadFile(context.request, url, { file_name: 'slow.txt' }, Buffer.from('A text that the model reads for a long time.'))
  ai.setRespond(() => [{ text: 'One' }, { fault: 'silence' }])
  ai.requests.length = 0
  const page = await openPage()
  await page.goto(`${url}/files/file/${id}`)
  await page.getByRole('button', { name: 'Analyze with AI' }).click()
  await page.getByRole('dialog').getByText('The AI is reading the file').waitFor()
  await expect.poll(() => ai.requests.length).toBe(1)
  await page.keyboard.press('Escape')
  await expect.poll(() => ai.requests[0]?.state).toBe('closed by the client')
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('the analysis of a file without text is refused in a toast with the reason', async () => {
  const id = await uploadFile(context.request, url, { file_name: 'secret.pdf' }, makePdf([['Secret']], { password: 'oak' }))
  const page = await openPage(/status of 422/)
  await page.goto(`${url}/files/file/${id}`)
  await page.getByLabel('Password of the file').waitFor()
  await page.getByRole('button', { name: 'Analyze with AI' }).click()
  const toast = page.getByRole('alert').filter({ hasText: 'Error analyzing file' })
  await toast.getByText('protected with a password').waitFor()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})

test('a note is improved, accepted with the keyboard and undone by Ctrl+Z', async () => {
  ai.setRespond(() => 'Would like an oak sample by Friday, see https://quillstone.example.')
  const page = await openPage()
  await page.goto(`${url}/crm/contacts/${contact}?tab=notes`)
  await page.getByLabel('New note').fill('wants oak sample by fri, see https://quillstone.example')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Note created').waitFor()
  await tabTo(page, page.getByRole('button', { name: 'Edit note' }))
  await page.keyboard.press('Enter')
  const field = page.getByLabel('Note', { exact: true })
  await field.waitFor()
  await page.keyboard.press('Tab')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Improve with AI')
  await page.keyboard.press('Enter')
  const suggestion = page.getByRole('region', { name: 'Suggested changes' })
  await suggestion.waitFor()
  const removed = (await suggestion.locator('del').allTextContents()).join(' ')
  const added = (await suggestion.locator('ins').allTextContents()).join(' ')
  expect([removed, added]).toEqual([expect.stringContaining('wants'), expect.stringContaining('Friday')])
  expect(`${removed} ${added}`).not.toContain('quillstone')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Accept')
  await page.keyboard.press('Enter')
  await page.getByText('Note updated').waitFor()
  const notes = page.getByRole('region', { name: 'Notes' }).getByRole('listitem')
  await notes.getByText('Would like an oak sample by Friday').waitFor()
  await page.getByRole('button', { name: 'Edit note' }).waitFor()
  await page.keyboard.press('Control+z')
  await notes.getByText('wants oak sample by fri').waitFor()
})

test('on a phone, Escape discards the suggestion for a draft, and a second suggestion is accepted', async () => {
  ai.setRespond(() => 'Called back.')
  const page = await openPage()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${url}/crm/contacts/${contact}?tab=notes`)
  const field = page.getByLabel('New note')
  await field.fill('caled back')
  const improve = page.getByRole('button', { name: 'Improve with AI' })
  expect((await improve.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  await improve.click()
  await page.getByRole('button', { name: 'Accept' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.keyboard.press('Escape')
  expect(await field.inputValue()).toBe('caled back')
  await improve.click()
  await page.getByRole('button', { name: 'Accept' }).click()
  await expect.poll(() => field.inputValue()).toBe('Called back.')
})

test('a picture is made from a description, found in Files with its label, and removed by Ctrl+Z', async () => {
  ai.setRespond(undefined) // the stand-in draws a picture
  const page = await openPage()
  await page.goto(`${url}/assistant?image=new`)
  const dialog = page.getByRole('dialog', { name: 'Generate image' })
  await dialog.getByPlaceholder('Describe the image you want to create...').waitFor()
  await page.keyboard.type('Oak shelves')
  await page.keyboard.press('Enter')
  await page.getByText('Your AI-generated image has been saved to your files.').waitFor()
  await expect.poll(() => dialog.count()).toBe(0)
  await tabTo(page, page.getByRole('button', { name: 'Open', exact: true }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  const image = page.getByRole('img', { name: /^ai-generated/ })
  await expect.poll(() => image.evaluate((element) => element instanceof HTMLImageElement && element.naturalWidth)).toBe(1024)
  await page.keyboard.press('g')
  await page.keyboard.press('f')
  const row = page.getByRole('row').filter({ hasText: /ai-generated-\d+\.png/ })
  await row.getByTitle('Made by AI').waitFor()
  await page.keyboard.press('Control+z')
  await row.waitFor({ state: 'detached' })
})

test.each(widthsAndThemes)(
  'at %i px in the %s theme, axe finds nothing in a suggestion and an analysis, and nothing scrolls sideways',
  async (width, colorScheme) => {
    const words = Array.from({ length: 400 }, (_, index) => `word${index}`)
    const text = words.join(' ')
    ai.setRespond(({ instructions }) =>
      instructions.includes('improve notes')
        ? words.map((word, index) => (index % 7 === 0 ? `${word}s` : word)).join(' ')
        : `**Long** ${text}\n\n> ${words.slice(0, 20).join(' ')}`,
    )
    const id = await uploadFile(context.request, url, { file_name: `${'long-name-'.repeat(12)}.txt` }, Buffer.from(text))
    const page = await openPage()
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    const tags = [...wcagTags, 'best-practice']
    const readWidth = () => page.evaluate(() => document.documentElement.scrollWidth)
    await page.goto(`${url}/crm/contacts/${contact}?tab=notes`)
    await page.getByLabel('New note').fill(text)
    await page.getByRole('button', { name: 'Improve with AI' }).click()
    await page.getByRole('region', { name: 'Suggested changes' }).waitFor()
    expect(await findViolations(page, { within: 'section[aria-label="Notes"]', tags })).toEqual([])
    expect(await readWidth()).toBe(width)
    await page.goto(`${url}/files/file/${id}`)
    await page.getByText('word399').first().waitFor()
    await page.keyboard.press('a')
    await page.getByRole('region', { name: 'Based on these passages' }).waitFor()
    expect(await findViolations(page, { within: '[role=dialog]', tags })).toEqual([])
    expect(await readWidth()).toBe(width)
  },
)

test('without an AI every control says in one sentence how to turn it on', async () => {
  const account = { name: 'Ada Lovelace', email: `ada-${Date.now()}@larkfield.example`, password: 'oak and ash' }
  await signUp(url, account)
  const other = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  await signIn(other.request, url, account)
  const page = await other.newPage()
  const sentence = page.getByText('No AI is connected. Connect one on the account page, or ask the operator of this server.')
  const [id] = await addContacts(page, url, [{ first_name: 'Ann', last_name: 'Lee' }])
  const file = await uploadFile(other.request, url, { file_name: 'letter.txt' }, Buffer.from('Dear Ann'))
  await page.goto(`${url}/crm/contacts/${id}?tab=notes`)
  await page.getByLabel('New note').fill('oak')
  await page.getByRole('button', { name: 'Improve with AI' }).click()
  await sentence.waitFor()
  await page.goto(`${url}/files/file/${file}`)
  await page.getByRole('button', { name: 'Analyze with AI' }).click()
  await page.getByRole('dialog').filter({ has: sentence }).waitFor()
  await page.goto(`${url}/assistant?image=new`)
  await page.getByRole('dialog', { name: 'Generate image' }).filter({ has: sentence }).waitFor()
})
