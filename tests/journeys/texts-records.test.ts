// The words that companies, deals and tasks have in common: every deed and every failure, read from the screen.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorkspaces, type Workspaces } from './workspace.ts'

let workspaces: Workspaces
beforeAll(async () => {
  workspaces = await openWorkspaces()
})
afterAll(() => workspaces?.[Symbol.asyncDispose]())

const nobodys = '01930000-0000-7000-8000-00000000ffff'

const kinds = [
  {
    one: 'company',
    many: 'companies',
    list: '/crm/companies',
    called: 'name',
    label: 'Name',
    searched: 'name, industry, website, email or phone',
    bulk: { label: 'Industry', value: 'Health' },
    carriesTags: true,
  },
  {
    one: 'deal',
    many: 'deals',
    list: '/crm/deals?as=list',
    called: 'title',
    label: 'Title',
    searched: 'title',
    bulk: { label: 'Stage', choice: 'Proposal' },
    carriesTags: true,
  },
  {
    one: 'task',
    many: 'tasks',
    list: '/crm/tasks',
    called: 'title',
    label: 'Title',
    searched: 'title',
    bulk: { label: 'Status', choice: 'In progress' },
    carriesTags: false,
  },
] as const

const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

describe.each(kinds)('$many', ({ one, many, list, called, label, searched, bulk, carriesTags }) => {
  const One = capitalised(one)
  const Many = capitalised(many)
  const path = `/crm/${many}`
  const api = `/api/${many}`

  test('every deed is told and taken back, and so is what a search does not find', async () => {
    const { page, open, callApi, add, expectText, expectToast, click } = await workspaces.emptied()
    await add(api, { [called]: 'Quillstone' })
    await open(list)
    await page.getByRole('heading', { name: Many }).waitFor()
    await page.getByRole('link', { name: `Add ${one}` }).click()
    const adding = page.getByRole('dialog', { name: `Add ${one}` })
    await adding.getByLabel(label).fill('Oakmoor')
    await click(`Save ${one}`, adding)
    await expectToast(`${One} created`)
    await click('Undo')
    await expectToast(`Undone: ${One} created`)
    await page.keyboard.press('Control+Shift+z')
    await expectToast(`Redone: ${One} created`)
    await click('Edit Oakmoor')
    const editing = page.getByRole('dialog', { name: `Edit ${one}` })
    await editing.getByLabel(label).fill('Oakmoor Hall')
    await click(`Save ${one}`, editing)
    await expectToast(`${One} updated`)
    await click('Undo')
    await expectToast(`Undone: ${One} updated`)
    await click('Delete Oakmoor')
    await expectToast(`${One} deleted`)
    await click('Undo')
    await expectToast(`Undone: ${One} deleted`)
    await page.getByRole('link', { name: 'Oakmoor', exact: true }).waitFor()
    expect(await callApi('GET', api)).toMatchObject({ rows: [{ [called]: 'Oakmoor' }, { [called]: 'Quillstone' }] })
    await page.getByPlaceholder(`Search ${many}`).fill('zzzz')
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
    await expectText(`No ${one} has “zzzz” in its ${searched}.`)
    await click('Clear search')
    await page.getByRole('link', { name: 'Quillstone' }).waitFor()
  })

  test('what is done to several at once says how many they are', async () => {
    const { page, open, add, expectText, expectToast, click } = await workspaces.emptied()
    await Promise.all(['Quillstone', 'Oakmoor'].map((name) => add(api, { [called]: name })))
    await open(list)
    await page.getByRole('checkbox', { name: 'Select all that are loaded' }).check()
    const bar = page.getByRole('region', { name: 'Selection' })
    await expectText('2 selected', bar)
    for (const title of [`2 ${many} updated`, 'Nothing to change']) {
      await click('Edit', bar)
      const editing = page.getByRole('dialog', { name: `Edit 2 ${many}` })
      const value = editing.getByLabel(bulk.label, { exact: true })
      await ('value' in bulk ? value.fill(bulk.value) : value.selectOption(bulk.choice))
      await click(`Update 2 ${many}`, editing)
      await expectToast(title)
    }
    await expectToast('Nothing to change', 'All of them are like that already.')
    if (carriesTags) {
      await click('Tag', bar)
      const tagging = page.getByRole('dialog', { name: `Tag 2 ${many}` })
      await tagging.getByPlaceholder('Choose a tag').waitFor()
      await tagging.getByPlaceholder('Type a tag and press Enter').fill('VIP')
      await page.keyboard.press('Enter')
      await click(`Tag 2 ${many}`, tagging)
      await expectToast(`2 ${many} tagged`)
    }
    await click('Export', bar)
    await page.getByRole('menuitem', { name: 'Export as CSV' }).click()
    await expectToast(`${Many} exported`)
    await click(`Delete 2 ${many}`, bar)
    await expectToast(`2 ${many} deleted`)
    await page.keyboard.press('Control+z')
    await expectToast(`Undone: 2 ${many} deleted`)
  })

  test('every failure is told, and nothing is lost by it', async () => {
    const { page, open, callApi, add, expectText, expectToast, click, failRequests, stopFailing } = await workspaces.emptied()
    const id = await add(api, { [called]: 'Quillstone' })
    const tooMany = await failRequests('GET', api, 'too_many_requests')
    await open(list)
    await page.getByRole('heading', { name: `${Many} could not be loaded` }).waitFor()
    await expectText(tooMany)
    await stopFailing()
    await click('Try again')
    await page.getByRole('link', { name: 'Quillstone' }).waitFor()

    const busy = await failRequests('POST', api)
    await page.getByRole('link', { name: `Add ${one}` }).click()
    const adding = page.getByRole('dialog', { name: `Add ${one}` })
    await adding.getByLabel(label).fill('Oakmoor')
    await click(`Save ${one}`, adding)
    await expectToast('Error', busy)
    await expect.poll(() => adding.getByLabel(label).inputValue()).toBe('Oakmoor')
    await click('Cancel', adding)
    await click('Discard changes', page.getByRole('dialog', { name: 'Leave without saving?' }))

    const broken = await failRequests('PATCH', api, 'internal')
    await click('Edit Quillstone')
    const editing = page.getByRole('dialog', { name: `Edit ${one}` })
    await editing.getByLabel(label).fill('Quillstone Hall')
    await click(`Save ${one}`, editing)
    await expectToast('Error', broken)
    await stopFailing()

    await callApi('DELETE', `${api}/${id}`)
    await click(`Save ${one}`, editing)
    await expectText(`This ${one} was deleted while you were editing. Restore it and save?`, editing)
    await expectText('What you typed stays here.', editing)
    await click('Restore and save', editing)
    await expectToast(`${One} updated`)

    await failRequests('DELETE', api)
    await click('Dismiss notification')
    await click('Delete Quillstone Hall')
    await expectToast('Error', busy)
    await page.getByRole('link', { name: 'Quillstone Hall' }).waitFor()
    await stopFailing()

    await open(`${path}/${nobodys}`)
    await page.getByRole('heading', { name: `This ${one} is not here` }).waitFor()
    await expectText('It may have been deleted; then it is in the trash for 30 days.')
    await page.keyboard.press('e')
    await expectToast('Error', 'There is nothing here, or it is not yours.')
    await page.waitForURL(`**${path}`)
  })
})

test('filters say what they ask for, and a view that it is saved, renamed and deleted', async () => {
  const { page, open, add, expectText, expectToast, click } = await workspaces.emptied()
  await add('/api/companies', { name: 'Quillstone' })
  await open(`/crm/companies?filter=${encodeURIComponent('[{"field":"industry","has":"zzzz"}]')}`)
  await expectText('There is no company here with these filters: Industry contains “zzzz”.')
  await page.keyboard.press('Control+z')
  await expectToast('Nothing to undo')
  await page.keyboard.press('Control+Shift+z')
  await expectToast('Nothing to redo')
  await click('Clear filter')
  await page.getByPlaceholder('Search companies').fill('quill')
  await click('Save view')
  const saving = page.getByRole('dialog', { name: 'Save view' })
  await expectText('Search, filters, sort and columns are kept. A view of the same name is replaced.', saving)
  await click('Save view', saving)
  await expectText('Enter a name', saving)
  await saving.getByLabel('Name').fill('Dentists')
  await click('Save view', saving)
  await expectToast('View saved')
  await click('View: Dentists')
  await page.getByRole('menuitem', { name: 'Rename this view' }).click()
  const renaming = page.getByRole('dialog', { name: 'Rename view' })
  await renaming.getByLabel('Name').fill('Teeth')
  await renaming.getByLabel('Name').press('Enter')
  await expectToast('View renamed')
  await click('View: Teeth')
  await page.getByRole('menuitem', { name: 'Delete this view' }).click()
  await expectToast('View deleted')
})
