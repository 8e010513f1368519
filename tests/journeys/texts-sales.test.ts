// Journeys in a browser that check the texts on the screens of companies and deals.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorkspaces, textsOf, type Workspaces } from './workspace.ts'

let workspaces: Workspaces
beforeAll(async () => {
  workspaces = await openWorkspaces()
})
afterAll(() => workspaces?.[Symbol.asyncDispose]())

describe('companies', () => {
  test('the panel shows fields, related records and activity, and messages for a conflict, an undo and a deletion', async () => {
    const { page, open, callApi, add, expectText, expectToast, click } = await workspaces.openEmpty()
    const id = await add('/api/companies', { name: 'Quillstone Dental' })
    await open(`/crm/companies/${id}`)
    const panel = page.getByRole('complementary', { name: 'Company' })
    await panel.getByRole('heading', { name: 'Quillstone Dental' }).waitFor()
    await click('Show 6 empty fields', panel)
    await expect.poll(() => textsOf(panel.getByRole('term'))).toEqual(['Industry', 'Website', 'Phone', 'Email', 'Employees', 'Tags'])
    await expect.poll(() => textsOf(panel.getByRole('definition'))).toEqual(Array.from({ length: 6 }, () => '-'))
    await expectText('No deals yet.', panel.getByRole('region', { name: 'Deals' }))
    await expectText('No contacts yet.', panel.getByRole('region', { name: 'Contacts' }))
    await panel.getByRole('link', { name: 'Add deal' }).waitFor()
    await panel.getByRole('link', { name: 'Add contact' }).waitFor()
    await expectText('Company created', panel.getByRole('region', { name: 'Activity' }))

    await click('Edit company', panel)
    const form = page.getByRole('dialog', { name: 'Edit company' })
    await form.getByLabel('Industry').fill('Teeth')
    await callApi('PATCH', `/api/companies/${id}`, { industry: 'Dentistry' })
    await click('Save company', form)
    await expectText('Industry was changed somewhere else while you were editing', form)
    await expectText('Everything else you typed is safe. Choose which one to keep, then save again.', form)
    await expectText('1 choice to make', form)
    await click('Save company', form) // without a choice, saving keeps the typed value
    await expectToast('Company updated')
    await callApi('PATCH', `/api/companies/${id}`, { industry: 'Surgery' })
    await click('Undo')
    await expectToast('Undone: Company updated', 'Kept as it is: 1 record edited since.')
    await click('More actions', panel)
    await page.getByRole('menuitem', { name: /^Delete company/ }).click()
    await expectToast('Company deleted')
  })
})

const stages = ['Lead', 'Qualified', 'Proposal', 'Negotiation', 'Closed Won', 'Closed Lost']

describe('deals', () => {
  test('a link to a deleted record is reported at its field, and typed text is back after a reload', async () => {
    const { page, open, callApi, add, expectText, click } = await workspaces.openEmpty()
    const company = await add('/api/companies', { name: 'Quillstone Dental' })
    await open(`/crm/deals/new?company=${company}`)
    const form = page.getByRole('dialog', { name: 'Add deal' })
    const field = form.getByRole('combobox', { name: 'Company' })
    await expect.poll(() => field.inputValue()).toBe('Quillstone Dental')
    await field.fill('oak')
    await page.getByRole('option', { name: 'Create “oak”', exact: true }).waitFor()
    await field.fill('')
    await page.getByRole('option', { name: 'None', exact: true }).waitFor()
    await page.getByRole('option', { name: 'Quillstone Dental' }).click()
    await callApi('DELETE', `/api/companies/${company}`)
    await form.getByLabel('Title').fill('Waiting room')
    await click('Save deal', form)
    await expectText('This company is no longer here', form)
    page.on('dialog', (dialog) => void dialog.accept()) // the browser asks before it leaves a page with unsaved text
    await page.reload({ waitUntil: 'commit' })
    await expectText('What you typed before is back. It is not saved yet.', form)
    await click('Start over', form)
    await expect.poll(() => form.getByLabel('Title').inputValue()).toBe('')
  })

  test('the list and the panel show a deal, and any stage can be selected', async () => {
    const { page, open, add, expectText, expectToast, click } = await workspaces.openEmpty()
    const id = await add('/api/deals', { title: 'Waiting room', value: 26_400, expected_close_date: '2020-01-02' })
    await open(`/crm/deals/${id}?as=list`)
    const panel = page.getByRole('complementary', { name: 'Deal' })
    await panel.getByRole('heading', { name: 'Waiting room' }).waitFor()
    await expect
      .poll(() => textsOf(page.getByRole('columnheader')))
      .toEqual(['Title', 'Stage', 'Value', 'Close date', 'Company', 'Contact', 'Actions'])
    await click('Show 4 empty fields', panel)
    await expect
      .poll(() => textsOf(panel.getByRole('term')))
      .toEqual(['Stage', 'Value', 'Probability', 'Close date', 'Contact', 'Company', 'Tags', 'Description'])
    const values = (await textsOf(panel.getByRole('definition'))).slice(1)
    expect(values.slice(0, 2)).toEqual(['£26,400', '10% counts as £2,640 in the forecast'])
    expect(values[2]).toMatch(/^2 Jan 2020 [\d,]+ days ago$/)
    expect(values.slice(3)).toEqual(['-', '-', '-', '-'])
    await page
      .getByRole('row')
      .getByTitle(/^Thursday,? 2 January 2020, overdue$/)
      .waitFor()
    await expectText('What is to be done next for this deal?', panel.getByRole('region', { name: 'Tasks' }))
    await panel.getByRole('link', { name: 'Add task' }).waitFor()
    await expectText('Deal created', panel.getByRole('region', { name: 'Activity' }))
    await click('Stage: Lead. Change', panel)
    await expect.poll(() => textsOf(page.getByRole('menuitemradio'))).toEqual(stages)
    await page.getByRole('menuitemradio', { name: 'Closed Lost' }).click()
    await expectToast('Deal updated')
    await click('Stage: Closed Lost. Change', panel)
    await page.getByRole('menuitemradio', { name: 'Lead' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await click('Undo')
    await expectToast('Undone: Deal updated')
    await click('Edit deal', panel)
    const form = page.getByRole('dialog', { name: 'Edit deal' })
    await form.getByRole('combobox', { name: 'Stage' }).click()
    await expect.poll(() => textsOf(page.getByRole('option'))).toEqual(stages)
    for (const [index, defaultProbability] of ['10', '25', '50', '75', '100', '0'].entries()) {
      await page.getByRole('option', { name: stages[index] ?? '', exact: true }).click()
      await expect.poll(() => form.getByLabel('Probability').getAttribute('placeholder')).toBe(defaultProbability)
      await form.getByRole('combobox', { name: 'Stage' }).click()
    }
  })
})
