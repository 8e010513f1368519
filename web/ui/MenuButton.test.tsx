import { ActionIcon, MantineProvider } from '@mantine/core'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { loadFloating } from './floating.ts'
import { MenuButton } from './MenuButton.tsx'
import { Tooltip } from './Tooltip.tsx'

const ExampleMenu = () => (
  <MantineProvider env="test">
    <MenuButton
      button={
        <Tooltip label="Columns of the list">
          <ActionIcon aria-label="Columns">c</ActionIcon>
        </Tooltip>
      }
    >
      {(Menu) => <Menu.Item>Email</Menu.Item>}
    </MenuButton>
  </MantineProvider>
)

/** Finds the button also while the open menu hides it from screen readers. */
const findButton = (): HTMLElement => screen.getByRole('button', { name: 'Columns', hidden: true })

// this test must be the first: the code of menus is not loaded before it
test('a click before the code of menus is loaded opens the menu when the code arrives, and closing it returns the focus', async () => {
  render(<ExampleMenu />)
  const buttonBeforeLoad = findButton()
  expect(buttonBeforeLoad.getAttribute('aria-haspopup')).toBe('menu')
  expect(buttonBeforeLoad.getAttribute('aria-expanded')).toBe('false')
  buttonBeforeLoad.focus()
  fireEvent.click(buttonBeforeLoad)
  expect(screen.queryByRole('menuitem')).toBeNull()
  await act(loadFloating)
  const item = await screen.findByRole('menuitem', { name: 'Email' })
  expect(findButton().getAttribute('aria-expanded')).toBe('true')
  fireEvent.keyDown(item, { key: 'Escape' })
  await waitFor(() => expect(document.activeElement).toBe(findButton()))
  expect(findButton().getAttribute('aria-expanded')).toBe('false')
})

test('after the code of menus has been loaded, a click on the button opens the menu', async () => {
  await act(loadFloating)
  render(<ExampleMenu />)
  expect(screen.queryByRole('menuitem')).toBeNull()
  fireEvent.click(findButton())
  expect(await screen.findByRole('menuitem', { name: 'Email' })).toBeDefined()
})
