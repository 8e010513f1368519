// Lists and records on paper: the texts that Chromium writes to a PDF, and the styles of print media.
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uploadFile } from './files.ts'
import { url } from './shared.ts'
import { openWorkspaces, type Workspaces } from './workspace.ts'

let workspaces: Workspaces
beforeAll(async () => {
  workspaces = await openWorkspaces()
})
afterAll(() => workspaces?.[Symbol.asyncDispose]())

type Text = { text: string; left: number; right: number }
type Paper = { title: string; width: number; pages: Text[][]; text: string }

/** Writes the page to a PDF of A4, as the browser's dialog would, and reads it. */
async function print(page: Page): Promise<Paper> {
  await loadPrintPart(page)
  const file = await page.pdf({ format: 'A4', preferCSSPageSize: true })
  const pdf = await getDocument({ data: new Uint8Array(file), verbosity: 0 }).promise
  const { info } = await pdf.getMetadata()
  const pages: Text[][] = []
  let width = 0
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const pdfPage = await pdf.getPage(number)
    width = pdfPage.getViewport({ scale: 1 }).width
    const { items } = await pdfPage.getTextContent()
    pages.push(
      items.flatMap((item) =>
        'str' in item && item.str.trim() !== ''
          ? [{ text: item.str, left: Number(item.transform[4]), right: Number(item.transform[4]) + item.width }]
          : [],
      ),
    )
  }
  await pdf.loadingTask.destroy()
  const text = pages.map(joinTexts).join(' ')
  return { title: 'Title' in info ? String(info.Title) : '', width, pages, text }
}

const joinTexts = (texts: readonly Text[]): string =>
  texts
    .map(({ text }) => text)
    .join(' ')
    .replaceAll(/\s+/g, ' ')
const withoutSpaces = (text: string): string => text.replaceAll(/\s/g, '')

/** Presses the shortcut for printing, which loads the code for printing. The browser's dialog is replaced. */
async function loadPrintPart(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-dialog', 'open')
  })
  await page.keyboard.press('Control+p')
  await page.locator('body[data-dialog]').waitFor({ state: 'attached' })
}

const longName = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(2)
const screenOnlyLabels = [
  'Dashboard',
  'Sign Out',
  'Trash',
  'Search',
  'Filter',
  'Edit',
  'Newest first',
  'Add',
  'Nothing to redo',
  'More actions',
]

function expectNoControls(text: string): void {
  for (const label of screenOnlyLabels) expect(text).not.toMatch(new RegExp(`\\b${label}\\b`))
}

test('a list prints all loaded rows with their columns, and the header of the table on every page', async () => {
  const { page, open, add, expectToast } = await workspaces.openForNewUser()
  const names = Array.from({ length: 70 }, (_, index) => `Contact${index + 100}`)
  await Promise.all(
    names.map((name) =>
      add('/api/contacts', {
        first_name: name,
        last_name: 'Vantongeren',
        email: `${name}@quillstone.example`,
        phone: '+44 20 7946 0118',
      }),
    ),
  )
  await add('/api/contacts', {
    first_name: longName,
    last_name: 'Osei',
    company: 'A company with a name that goes on and on and on and on',
  })
  await open('/crm/contacts')
  await page.getByText(longName).first().waitFor()
  const loadedRows = await loadEveryRow(page)
  expect(loadedRows).toBe(71)
  expect(await page.locator('tr[data-index]').count()).toBeLessThan(50) // the screen renders only the visible rows
  await page.keyboard.press('Control+Shift+z') // shows a toast, which must not be printed
  await expectToast('Nothing to redo')
  const { title, width, pages, text } = await print(page)
  expect(title).toMatch(/^Contacts - \w+day, \d+ \w+ \d{4} - Foyer$/)
  expect(names.filter((name) => !withoutSpaces(text).includes(`${name}@quillstone.example`))).toEqual([])
  expect(withoutSpaces(text)).toContain(longName)
  expect(withoutSpaces(text)).toContain('Acompanywithanamethatgoesonandonandonandon')
  expect(pages.length).toBeGreaterThan(1)
  for (const texts of pages) expect(joinTexts(texts)).toContain('Name Email Phone Company Title Notes')
  expectNoControls(text)
  // no text is in the margin of the paper; the positions are in points
  for (const { text: part, left, right } of pages.flat()) {
    expect(left, part).toBeGreaterThan(30)
    expect(right, part).toBeLessThan(width - 30)
  }
})

test('a list prints its search and its filters, and not its other tools', async () => {
  const { page, open, add } = await workspaces.openForNewUser()
  await add('/api/contacts', { first_name: 'Imara', last_name: 'Vantongeren', company: 'Quillstone Dental' })
  await add('/api/contacts', { first_name: 'Bastian', last_name: 'Ollerquist', company: 'Ostrand Optics' })
  await open(`/crm/contacts?search=imara&filter=${encodeURIComponent('[{"field":"company","has":"Quill"}]')}`)
  await page.getByRole('link', { name: 'Imara Vantongeren' }).waitFor()
  await page.getByRole('button', { name: 'Remove the filter by Company' }).waitFor() // the code of filters is loaded after the first rows
  const { text } = await print(page)
  expect(text).toContain('imara')
  expect(text).toMatch(/Company contains “?Quill/)
  expect(text).not.toContain('Bastian')
  expectNoControls(text)
})

test('a list keeps its scroll position and its title after it was printed', async () => {
  const { page, open, add } = await workspaces.openForNewUser()
  for (let number = 120; number < 160; number += 1) await add('/api/contacts', { first_name: `Contact${number}`, last_name: 'Vantongeren' })
  await open('/crm/contacts')
  await page.getByText('Contact159').first().waitFor()
  const box = page.locator('[data-scroll-restoration-id]')
  await box.evaluate((element) => element.scrollTo({ top: 700 }))
  await print(page)
  await expect.poll(() => box.evaluate((element) => element.scrollTop)).toBe(700)
  await expect.poll(() => page.title()).toBe('Contacts - Foyer')
  expect(await page.getByText('Contact140').first().isVisible()).toBe(true)
})

test('a list prints the deals of the board as a list, in the order of the stages', async () => {
  const { page, open, add } = await workspaces.openForNewUser()
  await add('/api/deals', { title: 'Shelving wall', stage: 'negotiation', value: 1200 })
  await add('/api/deals', { title: 'Oak counter', stage: 'lead', value: 800.5 })
  await open('/crm/deals')
  await page.getByRole('link', { name: /Oak counter/ }).waitFor()
  const { text } = await print(page)
  expect(text).toMatch(/Title .*Stage.* Oak counter .*Lead.* Shelving wall .*Negotiation/)
  expect(text.match(/Oak counter/g)).toHaveLength(1)
  expectNoControls(text)
})

test('a list prints folders and files with their names in full', async () => {
  const { page, open, add } = await workspaces.openForNewUser()
  await add('/api/folders', { name: 'Drawings' })
  const name = `Site access and alarm ${'unbreakable'.repeat(9)}.txt`
  await uploadFile(page.request, url, { file_name: name }, Buffer.from('The alarm is beside the door.'))
  await open('/files')
  await page.getByRole('link', { name: 'Drawings' }).waitFor()
  const { text } = await print(page)
  expect(text).toContain('Drawings')
  expect(withoutSpaces(text)).toContain(withoutSpaces(name))
  expect(text).toContain('Name Size Added')
  expect(text).not.toContain('Drop files here')
})

test.each(['light', 'dark'] as const)(
  'a record prints as a page with facts, notes and timeline, black on white (%s theme)',
  async (colorScheme) => {
    const { page, open, add } = await workspaces.openForNewUser()
    await page.emulateMedia({ colorScheme })
    const contact = await add('/api/contacts', {
      first_name: 'Imara',
      last_name: 'Vantongeren',
      email: 'imara@quillstone.example',
      description: 'Wants the oak sample.',
    })
    await add('/api/notes', { contact_id: contact, content: 'Twelve seats,\ntwo of them high.' })
    await open(`/crm/contacts/${contact}`)
    await page.getByText('Twelve seats').waitFor()
    await page.getByText('Contact created').waitFor()
    const { title, text } = await print(page)
    expect(title).toMatch(/^Imara Vantongeren - \w+day, \d+ \w+ \d{4} - Foyer$/)
    for (const part of [
      'Imara Vantongeren',
      'Email imara@quillstone.example',
      'Wants the oak sample.',
      'Notes 1',
      'Twelve seats, two of them high.',
      'Timeline',
      'Contact created',
      'Nora Ellisande',
    ])
      expect(text).toContain(part)
    expect(text).not.toMatch(/ago|just now/) // on paper a time is a date
    expectNoControls(text)
    await page.emulateMedia({ colorScheme, media: 'print' })
    await page.locator('[data-print-head]').waitFor()
    expect(await readColours(page)).toEqual({ text: ['rgb(0, 0, 0)'], background: ['rgb(255, 255, 255)'] })
    expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0)
    expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false)
  },
)

test('a record prints its panel, and not the list behind it', async () => {
  const { page, open, add } = await workspaces.openForNewUser()
  const company = await add('/api/companies', { name: 'Quillstone Dental', industry: 'Health' })
  await add('/api/companies', { name: 'Ostrand Optics' })
  const deal = await add('/api/deals', { title: 'Waiting room', value: 26_400.5, stage: 'proposal', company_id: company })
  const task = await add('/api/tasks', { title: 'Send the drawings', due_date: '2026-01-02', deal_id: deal })
  const panels = [
    { path: `/crm/companies/${company}`, title: 'Quillstone Dental', parts: ['Company', 'Industry Health', 'Deals', 'Waiting room'] },
    { path: `/crm/deals/${deal}`, title: 'Waiting room', parts: ['Deal', 'Stage', 'Proposal', 'Tasks', 'Send the drawings'] },
    { path: `/crm/deals/${deal}?panel=page`, title: 'Waiting room', parts: ['Deal', 'Company Quillstone Dental', 'Tasks'] },
    { path: `/crm/tasks/${task}`, title: 'Send the drawings', parts: ['Task', 'Priority Medium', 'Deal Waiting room'] },
  ]
  for (const { path, title, parts } of panels) {
    await open(path)
    await page.getByRole('heading', { name: title }).waitFor()
    await page
      .getByText(/ created\b/)
      .first()
      .waitFor()
    const paper = await print(page)
    expect(paper.title).toContain(`${title} - `)
    for (const part of [...parts, title, 'Activity']) expect(paper.text, path).toContain(part)
    expect(paper.text).not.toContain('Ostrand Optics')
    expect(paper.pages).toHaveLength(1)
    expectNoControls(paper.text)
  }
})

/** Returns the colours of all visible texts, and the colours behind them that are not transparent. */
const readColours = (page: Page) =>
  page.evaluate(() => {
    const elements = [...document.querySelectorAll('body, body *')].filter((element) => element.checkVisibility())
    const texts = elements.filter(({ childNodes }) => [...childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim()))
    const colours = (list: Element[], name: 'color' | 'backgroundColor') => [
      ...new Set(list.map((element) => getComputedStyle(element)[name]).filter((colour) => colour !== 'rgba(0, 0, 0, 0)')),
    ]
    return { text: colours(texts, 'color'), background: colours(elements, 'backgroundColor') }
  })

/** Scrolls until the row with the number 72 is loaded: the head and 71 contacts. Returns the number of loaded contacts. */
async function loadEveryRow(page: Page): Promise<number> {
  const box = page.locator('[data-scroll-restoration-id]')
  await expect
    .poll(async () => {
      await box.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
      return page.locator('table[aria-busy=false] tr[aria-rowindex="72"]').count()
    })
    .toBe(1)
  const last = await page.locator('tr[data-index]').last().getAttribute('data-index')
  return Number(last) + 1
}
