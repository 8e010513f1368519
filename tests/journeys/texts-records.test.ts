// Journeys in a browser that check the texts of actions, of undo and of errors. These texts differ between companies, deals and tasks only in
// the name of the kind, so not every journey tries every kind. Bulk edits are tried with a text field (companies) and with a choice (deals).
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkspaces, type Workspaces } from './workspace.ts'

let workspaces: Workspaces
beforeAll(async () => {
  workspaces = await openWorkspaces()
})
afterAll(() => workspaces?.[Symbol.asyncDispose]())

const unknownId = '01930000-0000-7000-8000-00000000ffff'

const company = {
  singular: 'company',
  plural: 'companies',
  list: '/crm/companies',
  titleField: 'name',
  label: 'Name',
  searchedFields: 'name, industry, website, email or phone',
  bulk: { label: 'Industry', value: 'Health' },
} as const
const deal = {
  singular: 'deal',
  plural: 'deals',
  list: '/crm/deals?as=list',
  titleField: 'title',
  label: 'Title',
  searchedFields: 'title',
  bulk: { label: 'Stage', choice: 'Proposal' },
} as const
const task = {
  singular: 'task',
  plural: 'tasks',
  list: '/crm/tasks?view=all',
  titleField: 'title',
  label: 'Title',
  searchedFields: 'title',
} as const

const capitalise = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

test.each([company, deal, task])(
  'every action on $plural is confirmed and can be undone, and a search without results can be cleared',
  async ({ singular, plural, list, titleField, label, searchedFields }) => {
    const [Singular, Plural, api] = [capitalise(singular), capitalise(plural), `/api/${plural}`]
    const { page, open, callApi, add, expectText, expectToast, click } = await workspaces.openEmpty()
    await add(api, { [titleField]: 'Quillstone' })
    await open(list)
    await page.getByRole('heading', { name: Plural }).waitFor()
    await page.getByRole('link', { name: `Add ${singular}` }).click()
    const addDialog = page.getByRole('dialog', { name: `Add ${singular}` })
    await addDialog.getByLabel(label).fill('Oakmoor')
    await click(`Save ${singular}`, addDialog)
    await expectToast(`${Singular} created`)
    await click('Undo')
    await expectToast(`Undone: ${Singular} created`)
    await page.keyboard.press('Control+Shift+z')
    await expectToast(`Redone: ${Singular} created`)
    await click('Edit Oakmoor')
    const editDialog = page.getByRole('dialog', { name: `Edit ${singular}` })
    await editDialog.getByLabel(label).fill('Oakmoor Hall')
    await click(`Save ${singular}`, editDialog)
    await expectToast(`${Singular} updated`)
    await click('Undo')
    await expectToast(`Undone: ${Singular} updated`)
    await click('Delete Oakmoor')
    await expectToast(`${Singular} deleted`)
    await click('Undo')
    await expectToast(`Undone: ${Singular} deleted`)
    await page.getByRole('link', { name: 'Oakmoor', exact: true }).waitFor()
    expect(await callApi('GET', api)).toMatchObject({ rows: [{ [titleField]: 'Oakmoor' }, { [titleField]: 'Quillstone' }] })
    await page.getByPlaceholder(`Search ${plural}`).fill('zzzz')
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
    await expectText(`No ${singular} has “zzzz” in its ${searchedFields}.`)
    await click('Clear search')
    await page.getByRole('link', { name: 'Quillstone' }).waitFor()
  },
)

test.each([company, deal])('bulk actions show the number of $plural', async ({ plural, list, titleField, bulk }) => {
  const [Plural, api] = [capitalise(plural), `/api/${plural}`]
  const { page, open, add, expectText, expectToast, click } = await workspaces.openEmpty()
  await Promise.all(['Quillstone', 'Oakmoor'].map((name) => add(api, { [titleField]: name })))
  await open(list)
  await page.getByRole('checkbox', { name: 'Select all that are loaded' }).check()
  const selectionBar = page.getByRole('region', { name: 'Selection' })
  await expectText('2 selected', selectionBar)
  for (const title of [`2 ${plural} updated`, 'Nothing to change']) {
    await click('Edit', selectionBar)
    const editDialog = page.getByRole('dialog', { name: `Edit 2 ${plural}` })
    const value = editDialog.getByLabel(bulk.label, { exact: true })
    await ('value' in bulk ? value.fill(bulk.value) : value.selectOption(bulk.choice))
    await click(`Update 2 ${plural}`, editDialog)
    await expectToast(title)
  }
  await expectToast('Nothing to change', 'All of them are like that already.')
  await click('Tag', selectionBar)
  const tagDialog = page.getByRole('dialog', { name: `Tag 2 ${plural}` })
  await tagDialog.getByPlaceholder('Choose a tag').waitFor()
  await tagDialog.getByPlaceholder('Type a tag and press Enter').fill('VIP')
  await page.keyboard.press('Enter')
  await click(`Tag 2 ${plural}`, tagDialog)
  await expectToast(`2 ${plural} tagged`)
  await click('Export', selectionBar)
  await page.getByRole('menuitem', { name: 'Export as CSV' }).click()
  await expectToast(`${Plural} exported`)
  await click(`Delete 2 ${plural}`, selectionBar)
  await expectToast(`2 ${plural} deleted`)
  await page.keyboard.press('Control+z')
  await expectToast(`Undone: 2 ${plural} deleted`)
})

test('every failure is shown, and the typed text is kept', async () => {
  const { page, open, callApi, add, expectText, expectToast, click, failRequests, stopFailing } = await workspaces.openEmpty()
  const id = await add('/api/companies', { name: 'Quillstone' })
  const tooManyMessage = await failRequests('GET', '/api/companies', 'too_many_requests')
  await open('/crm/companies')
  await page.getByRole('heading', { name: 'Companies could not be loaded' }).waitFor()
  await expectText(tooManyMessage)
  await stopFailing()
  await click('Try again')
  await page.getByRole('link', { name: 'Quillstone' }).waitFor()

  const busyMessage = await failRequests('POST', '/api/companies')
  await page.getByRole('link', { name: 'Add company' }).click()
  const addDialog = page.getByRole('dialog', { name: 'Add company' })
  await addDialog.getByLabel('Name').fill('Oakmoor')
  await click('Save company', addDialog)
  await expectToast('Error', busyMessage)
  await expect.poll(() => addDialog.getByLabel('Name').inputValue()).toBe('Oakmoor')
  await click('Cancel', addDialog)
  await click('Discard changes', page.getByRole('dialog', { name: 'Leave without saving?' }))

  const internalErrorMessage = await failRequests('PATCH', '/api/companies', 'internal')
  await click('Edit Quillstone')
  const editDialog = page.getByRole('dialog', { name: 'Edit company' })
  await editDialog.getByLabel('Name').fill('Quillstone Hall')
  await click('Save company', editDialog)
  await expectToast('Error', internalErrorMessage)
  await stopFailing()

  await callApi('DELETE', `/api/companies/${id}`)
  await click('Save company', editDialog)
  await expectText('This company was deleted while you were editing. Restore it and save?', editDialog)
  await expectText('What you typed stays here.', editDialog)
  await click('Restore and save', editDialog)
  await expectToast('Company updated')

  await failRequests('DELETE', '/api/companies')
  await click('Dismiss notification')
  await click('Delete Quillstone Hall')
  await expectToast('Error', busyMessage)
  await page.getByRole('link', { name: 'Quillstone Hall' }).waitFor()
  await stopFailing()

  await open(`/crm/companies/${unknownId}`)
  await page.getByRole('heading', { name: 'This company is not here' }).waitFor()
  await expectText('It may have been deleted; then it is in the trash for 30 days.')
  await page.keyboard.press('e')
  await expectToast('Error', 'There is nothing here, or it is not yours.')
  await page.waitForURL('**/crm/companies')
})

test('an empty list names its filters, and a view can be saved, renamed and deleted', async () => {
  const { page, open, add, expectText, expectToast, click } = await workspaces.openForNewUser() // nothing can be undone
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
  const saveDialog = page.getByRole('dialog', { name: 'Save view' })
  await expectText('Search, filters, sort and columns are kept. A view of the same name is replaced.', saveDialog)
  await click('Save view', saveDialog)
  await expectText('Enter a name', saveDialog)
  await saveDialog.getByLabel('Name').fill('Dentists')
  await click('Save view', saveDialog)
  await expectToast('View saved')
  await click('View: Dentists')
  await page.getByRole('menuitem', { name: 'Rename this view' }).click()
  const renameDialog = page.getByRole('dialog', { name: 'Rename view' })
  await renameDialog.getByLabel('Name').fill('Teeth')
  await renameDialog.getByLabel('Name').press('Enter')
  await expectToast('View renamed')
  await click('View: Teeth')
  await page.getByRole('menuitem', { name: 'Delete this view' }).click()
  await expectToast('View deleted')
})
