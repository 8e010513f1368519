// Every shortcut is pressed and followed by fast typing, while the code of the dialog or menu that it opens is still loading. No key is
// lost, and no key reaches the page behind the dialog.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { addContacts, signIn, signUp } from './accounts.ts'
import { closeContexts, getBrowser, url } from './shared.ts'

/** The times between two keys in ms: of a program, of a fast and of a slow typist. */
const keyDelaysMs = [20, 90, 300]
const typedText = 'nora'
const isFullTest = process.env['FOYER_FULL'] === '1'
/** The labels of shortcuts that open nothing. Without FOYER_FULL=1 the test tries none of these, and about half of the others. */
const opensNothing = /^(Next|Previous|Select|Extend|Delete|Undo|Redo|Fold|Print)\b/
/** The number of pages that are tried at the same time. A page mostly waits. */
const parallelPages = 4

let browser: Browser
let context: BrowserContext
beforeAll(async () => {
  browser = await getBrowser()
  await signUp(url)
  context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await signIn(page.request, url)
  await addContacts(
    page,
    url,
    ['Imara', 'Bastian', 'Sunniva', 'Wren'].map((first_name) => ({ first_name, last_name: 'Larkfield' })),
  )
  await page.close()
})
afterAll(closeContexts)

/** Opens a list in a new page, makes its first row the current row with J, and waits until nothing is loading. */
async function openPage(path: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url + path)
  await page.getByRole('row').nth(1).waitFor()
  await page.keyboard.press('j')
  await page.waitForLoadState('networkidle')
  return page
}

/** A shortcut from the list of shortcuts: its label, and what is pressed: `['Control+k']` or `['g', 'c']`. */
type ListedShortcut = { label: string; presses: string[] }

/** Reads the shortcuts of a page from the list of shortcuts, which has those of all actions. */
async function readShortcuts(path: string): Promise<ListedShortcut[]> {
  const page = await openPage(path)
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  const listed = await page.locator('[role=dialog] dd').evaluateAll((cells) =>
    cells.map((cell) => ({
      label: cell.previousElementSibling?.textContent ?? '',
      keys: [...(cell.firstElementChild?.querySelectorAll('kbd') ?? [])].map((key) => key.textContent),
    })),
  )
  await page.close()
  return listed.map(({ label, keys }) => ({ label, presses: toPresses(keys) }))
}

/** Converts the labels of keys to what is pressed: `['Ctrl', 'K']` is one press, `['G', 'C']` are two. */
function toPresses(labels: string[]): string[] {
  const names: Record<string, string> = { Ctrl: 'Control', '↑': 'ArrowUp', '↓': 'ArrowDown', Esc: 'Escape', Del: 'Delete' }
  const keys = labels.map((label) => names[label] ?? (/^[A-Z]$/.test(label) ? label.toLowerCase() : label))
  return keys.some((key) => key === 'Control' || key === 'Shift') ? [keys.join('+')] : keys
}

/** What can be seen after the keys: the text of the focused field and the address. */
const readScreen = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement
    const isField = focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement
    return {
      text: isField ? focused.value : undefined,
      path: location.pathname,
    }
  })

/**
 * Presses a shortcut and types the text while all further code is held back, and lets the code through after the second letter.
 * Returns the page.
 */
async function typeAfter(path: string, presses: string[], delayMs: number) {
  const page = await openPage(path)
  const release = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await release.promise
    await route.continue()
  })
  for (const key of presses) await page.keyboard.press(key)
  await page.keyboard.type(typedText.slice(0, 2), { delay: delayMs })
  release.resolve()
  await page.keyboard.type(typedText.slice(2), { delay: delayMs })
  return page
}

/** The labels of shortcuts that open something with a text field. */
const opensField = /^(Search|Add|Edit)\b/

/**
 * Returns true when each letter was typed, in order, into the field that the shortcut has opened. When the shortcut opens nothing or
 * another page, the first letter `n` is the page's shortcut for the form of a new record, and the field of this form gets the other
 * letters.
 */
const hasEveryLetter = ({ text, path }: Awaited<ReturnType<typeof readScreen>>, { label, presses }: ListedShortcut): boolean => {
  if (text === undefined) return !opensField.test(label) && !/\/(new|edit)/.test(path) // right for a shortcut that opens no field, such as `?`
  return text.includes(typedText) || ((presses.length === 2 || opensNothing.test(label)) && text === typedText.slice(1))
}

test.each(['/crm/contacts'])(
  'on %s no key that is typed after a shortcut is lost while its code is loading',
  { timeout: isFullTest ? 480_000 : 120_000 },
  async (path) => {
    const shortcuts = await readShortcuts(path)
    expect(shortcuts.length).toBeGreaterThan(20)
    const tried = shortcuts.filter(({ label }, index) => isFullTest || (index % 2 === 0 && !opensNothing.test(label)))
    const remaining = tried.entries()
    const tryRemaining = async (): Promise<void> => {
      for (const [index, shortcut] of remaining) {
        const { label, presses } = shortcut
        const delayMs = keyDelaysMs[index % keyDelaysMs.length] ?? 0
        const page = await typeAfter(path, presses, delayMs)
        const message = `${label}, ${presses.join(' ')} at ${delayMs} ms a key`
        await expect.poll(() => readScreen(page), { message }).toSatisfy((screen) => hasEveryLetter(screen, shortcut))
        await page.close()
      }
    }
    await Promise.all(Array.from({ length: parallelPages }, tryRemaining))
  },
)
