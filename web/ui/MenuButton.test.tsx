import { ActionIcon, MantineProvider } from '@mantine/core'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { loadFloating } from './floating.ts'
import { MenuButton } from './MenuButton.tsx'
import { Tooltip } from './Tooltip.tsx'

/** The code of menus is not loaded before the first test calls `loadFloating`. */
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

const findButton = (): HTMLElement => screen.getByRole('button', { name: 'Columns', hidden: true })

test('a menu that is opened before its code has been loaded opens then, and gives the focus back when it closes', async () => {
  render(<ExampleMenu />)
  const early = findButton()
  expect([early.getAttribute('aria-haspopup'), early.getAttribute('aria-expanded')]).toEqual(['menu', 'false'])
  early.focus()
  fireEvent.click(early)
  expect(screen.queryByRole('menuitem')).toBeNull()
  await act(loadFloating)
  const item = await screen.findByRole('menuitem', { name: 'Email' })
  expect(findButton().getAttribute('aria-expanded')).toBe('true')
  fireEvent.keyDown(item, { key: 'Escape' })
  await waitFor(() => expect(document.activeElement).toBe(findButton()))
  expect(findButton().getAttribute('aria-expanded')).toBe('false')
})

test('a menu opens by its button when the code has been loaded', async () => {
  await act(loadFloating)
  render(<ExampleMenu />)
  expect(screen.queryByRole('menuitem')).toBeNull()
  fireEvent.click(findButton())
  expect(await screen.findByRole('menuitem', { name: 'Email' })).toBeDefined()
})
