import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { actions } from '#web/lib/actions.ts'
import { imara, makePage } from '#web/contacts/testing.ts'
import { nora, renderApp, mockServer } from '#web/testing.ts'

const routes = {
  'GET /api/session': nora,
  'GET /api/sessions': { rows: [] },
  'GET /api/search': { hits: [] },
  'GET /api/trash': { rows: [], next: null },
  'GET /api/contacts': makePage([imara]),
  'GET /api/contacts/count': { count: 1, more: false },
}
const getOptionTexts = (): string[] => [...document.querySelectorAll('dialog [role=option]')].map(({ textContent }) => textContent)
const openPalette = async (): Promise<void> => {
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
  await screen.findByRole('listbox', { name: 'Results' })
}
const openAt = async (address: string) => {
  mockServer(routes)
  const { router } = await renderApp(address)
  await screen.findByRole('button', { name: 'Search' })
  await waitFor(() => expect(router.state.status).toBe('idle'))
  return router
}
const type = (text: string): void =>
  void fireEvent.change(screen.getByLabelText('Search and commands', { selector: 'input' }), { target: { value: text } })

/** The buttons of the page, without those of single records. */
const findPageButtons = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('main button:not(:disabled)')].filter((button) => !button.closest('table, li'))
const getName = (button: HTMLElement): string => (button.getAttribute('aria-label') ?? button.textContent).trim()

test.each([
  ['/account', 'Delete account'],
  ['/dashboard', 'Try again'],
  ['/files', 'New folder'],
  ['/crm/contacts', 'Columns'],
  ['/crm/contacts/new', 'Save contact'],
  ['/crm/companies', 'Columns'],
  ['/crm/deals', 'Views'],
  ['/crm/tasks', 'Columns'],
])('on %s the palette lists an action for the button %s and for each other button of the page', async (address, expectedButton) => {
  await openAt(address)
  await waitFor(() => expect(findPageButtons().map(getName)).toContain(expectedButton))
  const buttons = findPageButtons()
  await openPalette()
  const optionTexts = getOptionTexts()
  for (const button of buttons) {
    const name = getName(button)
    const shortcut = button.getAttribute('aria-keyshortcuts')
    // a button with a shortcut is listed with the label of the action that the shortcut runs, which is the one that was registered last
    const label = actions.get().findLast(({ keys }) => shortcut !== null && keys === shortcut)?.label ?? name
    expect(
      optionTexts.some((option) => option.startsWith(label)),
      `${name} is in the palette`,
    ).toBe(true)
  }
})

test.each(['export', 'export contacts'])('typing “%s” and Enter opens the menu of the button Export', async (text) => {
  await openAt('/crm/contacts')
  await screen.findByRole('button', { name: 'Export' })
  await openPalette()
  type(text)
  fireEvent.keyDown(screen.getByRole('combobox', { name: 'Search and commands' }), { key: 'Enter' })
  expect(await screen.findByRole('menuitem', { name: 'Export as CSV' })).toBeTruthy()
})

test.each([
  ['overdue', 'Overdue tasks'],
  ['new deal', 'Add deal'],
  ['time zone', 'Account'],
  ['dark', 'Theme: Dark'],
  ['backup', 'Account'],
  ['log out', 'Sign Out'],
  ['logout', 'Sign Out'],
  ['quit', 'Sign Out'],
  ['sign out', 'Sign Out'],
  ['upload', 'Files'],
  ['add person', 'Add contact'],
  ['new customer', 'Add contact'],
])('for the typed text “%s”, the first option is “%s”', async (text, label) => {
  await openAt('/trash')
  await openPalette()
  type(text)
  expect(getOptionTexts()[0]).toContain(label)
})

test('when several commands match equally well, the command that was run last is the first option', async () => {
  await openAt('/trash')
  await openPalette()
  type('add')
  expect(getOptionTexts()[0]).toContain('Add contact')
  const addTask = [...document.querySelectorAll('dialog [role=option]')].find(({ textContent }) => textContent.startsWith('Add task'))
  if (addTask) fireEvent.click(addTask)
  await screen.findByRole('dialog', { name: 'Add task' })
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await openPalette()
  type('add')
  expect(getOptionTexts()[0]).toContain('Add task')
})
