// Journeys in a browser that check the texts on the screens of tasks, notes and the dashboard.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorkspaces, textsOf, type Workspaces } from './workspace.ts'

let workspaces: Workspaces
beforeAll(async () => {
  workspaces = await openWorkspaces()
})
afterAll(() => workspaces?.[Symbol.asyncDispose]())

/** Returns the date in London as YYYY-MM-DD. */
const today = (): string => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London' }).format(new Date())

describe('tasks', () => {
  test('an empty list explains tasks, and a task that is added in the tab Today is due today, pending and of medium priority', async () => {
    const { page, open, callApi, expectText, expectToast, click } = await workspaces.openEmpty()
    await open('/crm/tasks')
    await page.getByRole('heading', { name: 'No tasks yet' }).waitFor()
    await expectText('What you have to do, and by when: a call, a letter, a visit. A task can belong to a contact or a deal.')
    await page.getByRole('link', { name: 'Add task' }).click()
    const form = page.getByRole('dialog', { name: 'Add task' })
    await click('Save task', form)
    await expectText('Enter a title', form)
    await form.getByPlaceholder('Search contacts').waitFor()
    await form.getByPlaceholder('Search deals').waitFor()
    for (const [field, defaultOption, options] of [
      ['Priority', 'Medium', ['Low', 'Medium', 'High']],
      ['Status', 'Pending', ['Pending', 'In progress', 'Completed']],
    ] as const) {
      const select = form.getByRole('combobox', { name: field })
      await expect.poll(() => select.inputValue()).toBe(defaultOption)
      await select.click()
      await expect.poll(() => textsOf(page.getByRole('option'))).toEqual(options)
      await page.keyboard.press('Escape')
    }
    await form.getByLabel('Title').fill('Send the drawings')
    await click('Save task', form)
    await expectToast('Task created')
    const row = page.getByRole('row').filter({ hasText: 'Send the drawings' })
    await expectText('Medium', row)
    await expectText('Pending', row)
    expect(await callApi('GET', '/api/tasks')).toMatchObject({ rows: [{ due_date: today(), completed_at: null }] })
    await expect
      .poll(() => textsOf(page.getByRole('columnheader')))
      .toEqual(['Title', 'Due', 'Priority', 'Status', 'Contact', 'Deal', 'Actions'])
  })

  test('the checkbox completes a task of any status or makes it pending again; a failed request of the panel changes nothing', async () => {
    const { page, open, add, expectText, expectToast, click, failRequests } = await workspaces.openEmpty()
    const id = await add('/api/tasks', { title: 'Send the drawings', status: 'in-progress' })
    await open('/crm/tasks?view=all')
    const row = page.getByRole('row').filter({ hasText: 'Send the drawings' })
    const checkbox = row.getByRole('checkbox', { name: 'Complete: Send the drawings' })
    const title = row.getByRole('link', { name: 'Send the drawings' })
    const readStyle = () => title.evaluate((link) => `${getComputedStyle(link).color} ${getComputedStyle(link).opacity}`)
    await expectText('In progress', row)
    const pendingStyle = await readStyle()
    await checkbox.click()
    await expectToast('Task marked as completed')
    await expectText('Completed', row)
    await expect.poll(readStyle).not.toBe(pendingStyle)
    await click('Undo')
    await expectToast('Undone: Task marked as completed')
    await expectText('In progress', row)
    await checkbox.click()
    await expectText('Completed', row)
    await checkbox.click()
    await expectToast('Task marked as pending')
    await expectText('Pending', row)
    await expect.poll(readStyle).toBe(pendingStyle)
    await open(`/crm/tasks/${id}`)
    const panel = page.getByRole('complementary', { name: 'Task' })
    await click('Complete', panel)
    await expectToast('Task marked as completed')
    await expect.poll(() => textsOf(panel.getByRole('definition'))).toContain('Completed just now Reopen')
    await click('Show 4 empty fields', panel)
    await expect.poll(() => textsOf(panel.getByRole('term'))).toEqual(['Status', 'Priority', 'Due date', 'Contact', 'Deal', 'Description'])
    const busyMessage = await failRequests('PATCH', '/api/tasks')
    await click('Reopen', panel)
    await expectToast('Error', busyMessage)
    await panel.getByRole('button', { name: 'Reopen', exact: true }).waitFor()
  })
})

const imara = { first_name: 'Imara', last_name: 'Vantongeren' }

describe('a contact', () => {
  test('notes are added, edited, deleted and counted', async () => {
    const { page, open, add, expectText, expectToast, click } = await workspaces.openEmpty()
    await open(`/crm/contacts/${await add('/api/contacts', imara)}?tab=notes`)
    await page.getByRole('link', { name: 'Notes 0' }).waitFor()
    const field = page.getByRole('textbox', { name: 'New note' })
    const addButton = page.getByRole('button', { name: 'Add note' })
    expect([await field.getAttribute('placeholder'), await addButton.isDisabled()]).toEqual(['Write a note', true])
    const { lineHeight, height } = await field.evaluate((area) => {
      const style = getComputedStyle(area)
      return { lineHeight: parseFloat(style.lineHeight), height: parseFloat(style.height) }
    })
    expect(height / lineHeight).toBeGreaterThanOrEqual(3)
    await field.fill(' \n ')
    await expect.poll(() => addButton.isDisabled()).toBe(true)
    await field.fill('Twelve seats')
    await addButton.click()
    await expectToast('Note created')
    await page.getByRole('link', { name: 'Notes 1' }).waitFor()
    await click('Edit note')
    const editedNote = page.getByRole('textbox', { name: 'Note', exact: true })
    await editedNote.fill('  ')
    await click('Save note')
    await expectText('Write a note')
    await editedNote.fill('Thirteen seats')
    await click('Save note')
    await expectToast('Note updated')
    await click('Delete note')
    await expectToast('Note deleted')
    await page.getByRole('link', { name: 'Notes 0' }).waitFor()
    await click(
      'Undo',
      page
        .getByRole('region', { name: 'Notifications' })
        .locator('div')
        .filter({ hasText: /^Note deleted/ }),
    )
    await expectToast('Undone: Note deleted')
    await expectText('Thirteen seats')
  })

  test('notes that cannot be loaded, saved or deleted show an error, and the typed text is kept', async () => {
    const { page, open, callApi, add, expectText, expectToast, click, failRequests, stopFailing } = await workspaces.openEmpty()
    const contact = await add('/api/contacts', imara)
    const note = await add('/api/notes', { contact_id: contact, content: 'Twelve seats' })
    const tooManyMessage = await failRequests('GET', '/api/notes', 'too_many_requests')
    await open(`/crm/contacts/${contact}?tab=notes`)
    await page.getByRole('heading', { name: 'The notes could not be loaded' }).waitFor()
    await expectText(tooManyMessage)
    await stopFailing()
    await click('Try again')
    await expectText('Twelve seats')
    const busyMessage = await failRequests('POST', '/api/notes')
    await page.getByRole('textbox', { name: 'New note' }).fill('Two high ones')
    await click('Add note')
    await expectToast('Error', busyMessage)
    await expect.poll(() => page.getByRole('textbox', { name: 'New note' }).inputValue()).toBe('Two high ones')
    const internalErrorMessage = await failRequests('DELETE', '/api/notes', 'internal')
    await click('Delete note')
    await expectToast('Error', internalErrorMessage)
    await stopFailing()
    await click('Edit note')
    await page.getByRole('textbox', { name: 'Note', exact: true }).fill('Thirteen seats')
    await callApi('DELETE', `/api/notes/${note}`)
    await click('Save note')
    await expectText('This note was deleted while you were editing. Restore it and save?')
    await click('Restore and save')
    await expectToast('Note updated')
  })
})

describe('the dashboard', () => {
  test('a new workspace shows first steps, then explains each empty tile, and the tiles keep their place when the steps are hidden', async () => {
    const { page, open, add, expectText } = await workspaces.openForNewUser()
    await open('/dashboard')
    await page.getByRole('heading', { name: 'Welcome, Nora' }).waitFor()
    await expectText('Your workspace is ready and empty. Each of these makes it useful; do them in any order.')
    await expect
      .poll(() => textsOf(page.getByRole('heading', { level: 3 })))
      .toEqual([
        'Add your first contact',
        'Add your first company',
        'Put your first deal on the board',
        'Write down what is to be done',
        'Set your time zone and currency',
      ])
    await expectText('What matters today takes this place as soon as there is something.')
    await add('/api/companies', { name: 'Quillstone Dental' })
    await expect
      .poll(() => textsOf(page.getByRole('heading', { level: 2 })))
      .toEqual(['Tasks due', 'Bookings', 'Pipeline', 'New contacts', 'Storage', 'First steps', 'Recent activity'])
    await page.getByRole('region', { name: 'First steps' }).getByText('1 of 5').waitFor()
    await expectText('No files yet. There is space for 100.0 GB of them.')
    await expectText('Nothing is due today. Tasks show here on their day, and after it until they are done.')
    await expectText('No deal is open. Open deals show here by stage, with what to expect of them.')
    await expectText('Nobody new in the last twelve weeks.')
    await page.getByRole('region', { name: 'Recent activity' }).getByRole('link', { name: 'Quillstone Dental' }).waitFor()
    const readPlaces = () =>
      Promise.all(
        ['Tasks due', 'Bookings', 'Pipeline', 'New contacts', 'Storage'].map((name) => page.getByRole('region', { name }).boundingBox()),
      )
    const places = await readPlaces()
    await page.getByRole('button', { name: 'Hide first steps' }).click()
    await expectText('First steps hidden')
    await expectText('The account page can show them again.')
    expect(await readPlaces()).toEqual(places)
  })

  test('the tiles show due tasks, the forecast and new contacts, or why they cannot be loaded', async () => {
    const { page, open, add, expectText, click, failRequests, stopFailing } = await workspaces.openEmpty()
    const contact = await add('/api/contacts', imara)
    await add('/api/deals', { title: 'Waiting room', value: 26_400, stage: 'proposal', contact_id: contact })
    await add('/api/tasks', { title: 'Send the drawings', due_date: today() })
    const tooManyMessage = await failRequests('GET', '/api/dashboard', 'too_many_requests')
    await open('/dashboard')
    for (const tile of ['Tasks due', 'Pipeline', 'New contacts']) await expectText(`${tile} could not be loaded. ${tooManyMessage}`)
    await stopFailing()
    await click('Try again')
    const tile = (name: string) => page.getByRole('region', { name, exact: true })
    await tile('Tasks due').getByRole('link', { name: 'Send the drawings' }).waitFor()
    await expectText('Today', tile('Tasks due'))
    await expectText('£13,200', tile('Pipeline'))
    await tile('Pipeline').getByText('forecast, of £26,400 open').waitFor()
    await tile('Pipeline').getByRole('link', { name: 'Deals', exact: true }).waitFor()
    await tile('New contacts').getByText('1 this week').waitFor()
    await tile('Tasks due').getByRole('link', { name: 'All due' }).waitFor()
  })
})
