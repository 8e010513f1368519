// The words that companies, deals and tasks have in common: every deed and every failure, read from the screen.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDoors, type Doors } from './workspace.ts'

let doors: Doors
beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.[Symbol.asyncDispose]())

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
    const { page, open, ask, add, said, told, press } = await doors.workspace()
    await add(api, { [called]: 'Quillstone' })
    await open(list)
    await page.getByRole('heading', { name: Many }).waitFor()
    await page.getByRole('link', { name: `Add ${one}` }).click()
    const adding = page.getByRole('dialog', { name: `Add ${one}` })
    await adding.getByLabel(label).fill('Oakmoor')
    await press(`Save ${one}`, adding)
    await told(`${One} created`)
    await press('Undo')
    await told(`Undone: ${One} created`)
    await page.keyboard.press('Control+Shift+z')
    await told(`Redone: ${One} created`)
    await press('Edit Oakmoor')
    const editing = page.getByRole('dialog', { name: `Edit ${one}` })
    await editing.getByLabel(label).fill('Oakmoor Hall')
    await press(`Save ${one}`, editing)
    await told(`${One} updated`)
    await press('Undo')
    await told(`Undone: ${One} updated`)
    await press('Delete Oakmoor')
    await told(`${One} deleted`)
    await press('Undo')
    await told(`Undone: ${One} deleted`)
    await page.getByRole('link', { name: 'Oakmoor', exact: true }).waitFor()
    expect(await ask('GET', api)).toMatchObject({ rows: [{ [called]: 'Oakmoor' }, { [called]: 'Quillstone' }] })
    await page.getByPlaceholder(`Search ${many}`).fill('zzzz')
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
    await said(`No ${one} has “zzzz” in its ${searched}.`)
    await press('Clear search')
    await page.getByRole('link', { name: 'Quillstone' }).waitFor()
  })

  test('what is done to several at once says how many they are', async () => {
    const { page, open, add, said, told, press } = await doors.workspace()
    await Promise.all(['Quillstone', 'Oakmoor'].map((name) => add(api, { [called]: name })))
    await open(list)
    await page.getByRole('checkbox', { name: 'Select all that are loaded' }).check()
    const bar = page.getByRole('region', { name: 'Selection' })
    await said('2 selected', bar)
    for (const title of [`2 ${many} updated`, 'Nothing to change']) {
      await press('Edit', bar)
      const editing = page.getByRole('dialog', { name: `Edit 2 ${many}` })
      const value = editing.getByLabel(bulk.label, { exact: true })
      await ('value' in bulk ? value.fill(bulk.value) : value.selectOption(bulk.choice))
      await press(`Update 2 ${many}`, editing)
      await told(title)
    }
    await told('Nothing to change', 'All of them are like that already.')
    if (carriesTags) {
      await press('Tag', bar)
      const tagging = page.getByRole('dialog', { name: `Tag 2 ${many}` })
      await tagging.getByPlaceholder('Choose a tag').waitFor()
      await tagging.getByPlaceholder('Type a tag and press Enter').fill('VIP')
      await page.keyboard.press('Enter')
      await press(`Tag 2 ${many}`, tagging)
      await told(`2 ${many} tagged`)
    }
    await press('Export', bar)
    await page.getByRole('menuitem', { name: 'Export as CSV' }).click()
    await told(`${Many} exported`)
    await press(`Delete 2 ${many}`, bar)
    await told(`2 ${many} deleted`)
    await page.keyboard.press('Control+z')
    await told(`Undone: 2 ${many} deleted`)
  })

  test('every failure is told, and nothing is lost by it', async () => {
    const { page, open, ask, add, said, told, press, fail, recover } = await doors.workspace()
    const id = await add(api, { [called]: 'Quillstone' })
    const tooMany = await fail('GET', api, 'too_many_requests')
    await open(list)
    await page.getByRole('heading', { name: `${Many} could not be loaded` }).waitFor()
    await said(tooMany)
    await recover()
    await press('Try again')
    await page.getByRole('link', { name: 'Quillstone' }).waitFor()

    const busy = await fail('POST', api)
    await page.getByRole('link', { name: `Add ${one}` }).click()
    const adding = page.getByRole('dialog', { name: `Add ${one}` })
    await adding.getByLabel(label).fill('Oakmoor')
    await press(`Save ${one}`, adding)
    await told('Error', busy)
    await expect.poll(() => adding.getByLabel(label).inputValue()).toBe('Oakmoor')
    await press('Cancel', adding)
    await press('Discard changes', page.getByRole('dialog', { name: 'Leave without saving?' }))

    const broken = await fail('PATCH', api, 'internal')
    await press('Edit Quillstone')
    const editing = page.getByRole('dialog', { name: `Edit ${one}` })
    await editing.getByLabel(label).fill('Quillstone Hall')
    await press(`Save ${one}`, editing)
    await told('Error', broken)
    await recover()

    await ask('DELETE', `${api}/${id}`)
    await press(`Save ${one}`, editing)
    await said(`This ${one} was deleted while you were editing. Restore it and save?`, editing)
    await said('What you typed stays here.', editing)
    await press('Restore and save', editing)
    await told(`${One} updated`)

    await fail('DELETE', api)
    await press('Dismiss notification')
    await press('Delete Quillstone Hall')
    await told('Error', busy)
    await page.getByRole('link', { name: 'Quillstone Hall' }).waitFor()
    await recover()

    await open(`${path}/${nobodys}`)
    await page.getByRole('heading', { name: `This ${one} is not here` }).waitFor()
    await said('It may have been deleted; then it is in the trash for 30 days.')
    await page.keyboard.press('e')
    await told('Error', 'There is nothing here, or it is not yours.')
    await page.waitForURL(`**${path}`)
  })
})

test('filters say what they ask for, and a view that it is saved, renamed and deleted', async () => {
  const { page, open, add, said, told, press } = await doors.workspace()
  await add('/api/companies', { name: 'Quillstone' })
  await open(`/crm/companies?filter=${encodeURIComponent('[{"field":"industry","has":"zzzz"}]')}`)
  await said('There is no company here with these filters: Industry contains “zzzz”.')
  await page.keyboard.press('Control+z')
  await told('Nothing to undo')
  await page.keyboard.press('Control+Shift+z')
  await told('Nothing to redo')
  await press('Clear filter')
  await page.getByPlaceholder('Search companies').fill('quill')
  await press('Save view')
  const saving = page.getByRole('dialog', { name: 'Save view' })
  await said('Search, filters, sort and columns are kept. A view of the same name is replaced.', saving)
  await press('Save view', saving)
  await said('Enter a name', saving)
  await saving.getByLabel('Name').fill('Dentists')
  await press('Save view', saving)
  await told('View saved')
  await press('View: Dentists')
  await page.getByRole('menuitem', { name: 'Rename this view' }).click()
  const renaming = page.getByRole('dialog', { name: 'Rename view' })
  await renaming.getByLabel('Name').fill('Teeth')
  await renaming.getByLabel('Name').press('Enter')
  await told('View renamed')
  await press('View: Teeth')
  await page.getByRole('menuitem', { name: 'Delete this view' }).click()
  await told('View deleted')
})
