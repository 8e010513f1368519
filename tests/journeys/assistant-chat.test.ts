// The user talks with the assistant: the answer grows, survives a reload and a lost network, is stopped, and can be read while it grows.
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { startAiServer, type AiServer } from '#server/testing/ai-server.ts'
import { signIn, signUp } from './accounts.ts'
import { findViolations, themesAt } from './axe.ts'
import { collectConsoleErrors, tabTo } from './browser.ts'
import { closeContexts, getBrowser, url } from './shared.ts'

let browser: Browser
let context: BrowserContext
let ai: AiServer
beforeAll(async () => {
  browser = await getBrowser()
  ai = await startAiServer()
  await signUp(url)
  context = await openContext()
  const settings = { base_url: ai.baseUrl, model: 'small' }
  await context.request.put(`${url}/api/ai`, { data: settings, headers: { origin: url } })
})
afterAll(async () => {
  await closeContexts()
  await ai[Symbol.asyncDispose]()
})

async function openContext(width = 1280): Promise<BrowserContext> {
  const isPhone = width < 768
  const opened = await browser.newContext({ viewport: { width, height: 800 }, hasTouch: isPhone, isMobile: isPhone })
  await signIn(opened.request, url)
  return opened
}

const fieldOf = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const answerOf = (page: Page) => page.getByRole('article', { name: 'Assistant' }).last()
const sendButtonOf = (page: Page) => page.getByRole('button', { name: 'Send', exact: true })

/** Opens the assistant with the keyboard, and asks. */
async function ask(page: Page, question: string): Promise<void> {
  await page.goto(`${url}/dashboard`)
  await page
    .getByRole('heading', { name: /Welcome|Dashboard/ })
    .first()
    .waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('j')
  await fieldOf(page).waitFor()
  await page.keyboard.type(question)
  await page.keyboard.press('Enter')
}

test('an answer continues when the page is reloaded in the middle of it, and a second tab shows the same answer', async () => {
  const [second, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  ai.setRespond(() => [
    { text: 'Four deals are quiet. ' },
    { wait: second.promise },
    { text: 'Start with the lobby. ' },
    { wait: end.promise },
    { text: 'That is all.' },
  ])
  const page = await context.newPage()
  const consoleErrors = collectConsoleErrors(page)
  await ask(page, 'Which deals are quiet?')
  await answerOf(page).getByText('Four deals are quiet.').waitFor()
  await expect.poll(() => page.url()).toContain('/assistant/')
  expect(await page.title()).toBe('Which deals are quiet? - Foyer')
  const other = await context.newPage()
  await other.goto(page.url())
  await answerOf(other).getByText('Four deals are quiet.').waitFor()
  await page.reload()
  await answerOf(page).getByText('Four deals are quiet.').waitFor()
  expect(await sendButtonOf(page).count()).toBe(0)
  second.resolve()
  await answerOf(page).getByText('Four deals are quiet. Start with the lobby.').waitFor()
  await answerOf(other).getByText('Four deals are quiet. Start with the lobby.').waitFor()
  end.resolve()
  await sendButtonOf(page).waitFor()
  for (const tab of [page, other])
    await expect
      .poll(() => answerOf(tab).locator('p').first().textContent())
      .toBe('Four deals are quiet. Start with the lobby. That is all.')
  expect(consoleErrors).toEqual([])
})

test('after the network was lost, the text of an answer continues where it stopped', async () => {
  const end = Promise.withResolvers<void>()
  ai.setRespond(() => [{ text: 'Before the tunnel. ' }, { wait: end.promise }, { text: 'After the tunnel.' }])
  const ownContext = await openContext()
  const page = await ownContext.newPage()
  await ask(page, 'Can you hear me?')
  await answerOf(page).getByText('Before the tunnel.').waitFor()
  await ownContext.setOffline(true)
  end.resolve()
  await expect.poll(() => ai.requests.at(-1)?.state).toBe('answered')
  await ownContext.setOffline(false)
  await answerOf(page).getByText('Before the tunnel. After the tunnel.').waitFor()
  await sendButtonOf(page).waitFor()
})

test('by keyboard alone, an answer is stopped and keeps its text, and is written again with a file, which is downloaded and saved', async () => {
  const restOfAnswer = Promise.withResolvers<void>()
  ai.setRespond(() => [{ text: 'The first half' }, { wait: restOfAnswer.promise }])
  const page = await context.newPage()
  const press = async (button: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> => {
    await tabTo(page, button, key)
    await page.keyboard.press('Enter')
  }
  await ask(page, 'Tell me a long story')
  await answerOf(page).getByText('The first half').waitFor()
  await press(page.getByRole('button', { name: 'Stop' }))
  await sendButtonOf(page).waitFor()
  await answerOf(page).getByText('The first half').waitFor()
  restOfAnswer.resolve()
  ai.setRespond(() => 'The whole story.\nbase64-file:story.txt|text/plain|x|T25jZSB1cG9u')
  await press(answerOf(page).getByRole('button', { name: 'Retry' }), 'Shift+Tab')
  await answerOf(page).getByText('The whole story.').waitFor()
  expect(await page.getByText('The first half').count()).toBe(0)
  const download = page.waitForEvent('download')
  await press(answerOf(page).getByRole('button', { name: 'Download story.txt' }))
  expect((await download).suggestedFilename()).toBe('story.txt')
  expect(await readFile(await (await download).path(), 'utf8')).toBe('Once upon')
  await press(answerOf(page).getByRole('button', { name: 'Save to Files: story.txt' }))
  await press(page.getByRole('dialog').getByRole('button', { name: 'Save to Files' }))
  const toast = await page.getByText('Saved to Files').boundingBox()
  const composer = await page.locator('[data-composer]').boundingBox()
  expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThan(composer?.y ?? 0) // the toast does not cover the field for messages
  const { rows } = await (await context.request.get(`${url}/api/files`)).json()
  expect(rows).toMatchObject([{ file_name: 'story.txt', file_size: 9, folder_id: null }])
})

test('a growing answer stays in view until the user scrolls up, and the last message stays at its place when it is edited', async () => {
  const more = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const lines = (from: number): string => Array.from({ length: 60 }, (_, index) => `Line ${from + index}\n\n`).join('')
  ai.setRespond(() => [{ text: lines(0) }, { wait: more.promise }, { text: lines(100) }, { wait: end.promise }, { text: 'The end' }])
  const page = await context.newPage()
  await ask(page, 'Many lines')
  await answerOf(page).getByText('Line 59').waitFor()
  const box = page.getByRole('region', { name: 'Messages' })
  const distanceToEnd = () => box.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight)
  await expect.poll(distanceToEnd).toBeLessThan(40)
  await box.hover()
  await page.mouse.wheel(0, -600)
  await page.getByRole('button', { name: 'Scroll to the end' }).waitFor()
  const top = await box.evaluate((element) => element.scrollTop)
  more.resolve()
  await answerOf(page).getByText('Line 159').waitFor({ state: 'attached' })
  expect(await box.evaluate((element) => element.scrollTop)).toBe(top)
  await page.getByRole('button', { name: 'Scroll to the end' }).click()
  await expect.poll(distanceToEnd).toBeLessThan(40)
  end.resolve()
  await answerOf(page).getByText('The end', { exact: true }).waitFor()
  await expect.poll(distanceToEnd).toBeLessThan(40)
  await sendButtonOf(page).waitFor()

  ai.setRespond(() => 'A short answer')
  await fieldOf(page).fill('And now?')
  await fieldOf(page).press('Enter')
  await answerOf(page).getByText('A short answer').waitFor()
  await sendButtonOf(page).waitFor()
  await expect.poll(distanceToEnd).toBeLessThan(40)
  const question = page.getByRole('article', { name: 'You' }).last()
  await question.hover()
  const topBefore = (await question.boundingBox())?.y ?? 0
  await question.getByRole('button', { name: 'Edit and send again' }).click()
  const edited = page.getByRole('textbox', { name: 'Edit the message' })
  await edited.waitFor()
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  expect(Math.abs(((await edited.boundingBox())?.y ?? 0) - topBefore)).toBeLessThan(8)
})

const rich =
  '# Plan\n\n| Deal | Value |\n|---|--:|\n| Lobby | 58 |\n\n- one\n- [two](https://oak.example)\n\n```js\nconst a = 1\n```\n\n> quoted'

test.each([1280, 390])('at %i px the list of chats and the panel pass axe; on a phone a chat is renamed and deleted', async (width) => {
  ai.setRespond(() => rich)
  const ownContext = await openContext(width)
  const page = await ownContext.newPage()
  const consoleErrors = collectConsoleErrors(page)
  const check = async (): Promise<void> => {
    for (const colorScheme of themesAt(width)) {
      await page.emulateMedia({ colorScheme })
      expect(await findViolations(page)).toEqual([])
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  }
  await page.goto(`${url}/assistant`)
  await fieldOf(page).fill('Make a plan')
  await fieldOf(page).press('Enter')
  await answerOf(page).getByText('quoted').waitFor()
  await sendButtonOf(page).waitFor()
  const isPhone = width < 768
  if (isPhone) await page.getByRole('button', { name: 'Show chats' }).click()
  const list = page.getByRole(isPhone ? 'dialog' : 'navigation', { name: 'Chats' })
  await list.getByRole('link', { name: 'Make a plan' }).first().waitFor()
  await check()
  if (isPhone) {
    await list.getByRole('button', { name: 'More for Make a plan' }).first().tap()
    await page.getByRole('menuitem', { name: 'Rename' }).tap()
    await page.keyboard.type('Our plan')
    await page.keyboard.press('Enter')
    await list.getByRole('link', { name: 'Our plan' }).waitFor()
    await list.getByRole('button', { name: 'More for Our plan' }).tap()
    await page.getByRole('menuitem', { name: 'Delete' }).tap()
    await expect.poll(() => list.getByRole('link', { name: 'Our plan' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).tap()
    await list.getByRole('link', { name: 'Our plan' }).waitFor()
  }
  await page.goto(`${url}/trash`)
  await page.getByText('The trash is empty').waitFor()
  await page.keyboard.press('Control+j')
  const panel = page.getByRole('complementary', { name: 'Assistant' })
  await panel.getByRole('button', { name: 'Chats' }).click()
  await panel.getByRole('link', { name: /plan$/ }).first().click()
  await panel.getByText('quoted').waitFor()
  await check()
  await page.keyboard.press('Escape')
  await expect.poll(() => panel.count()).toBe(0)
  expect(consoleErrors).toEqual([])
  await ownContext.close()
})
