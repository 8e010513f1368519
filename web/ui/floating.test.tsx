import { ActionIcon, MantineProvider } from '@mantine/core'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { loadFloating } from './floating.ts'
import { Tooltip } from './Tooltip.tsx'

test('a button that is held down when the code of tooltips arrives is replaced after its click, and keeps the focus', async () => {
  render(
    <MantineProvider env="test">
      <Tooltip label="Columns of the list">
        <ActionIcon aria-label="Columns">c</ActionIcon>
      </Tooltip>
    </MantineProvider>,
  )
  const pressedButton = screen.getByRole('button', { name: 'Columns' })
  pressedButton.focus()
  fireEvent.pointerDown(pressedButton)
  const loading = loadFloating()
  await act(() => import('./floatingParts.ts'))
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)))
  expect(pressedButton.isConnected).toBe(true)
  fireEvent.pointerUp(pressedButton)
  expect(pressedButton.isConnected).toBe(true) // the browser sends the click next
  await act(() => loading)
  const button = screen.getByRole('button', { name: 'Columns' })
  expect(button).not.toBe(pressedButton) // React has created a new element
  expect(document.activeElement).toBe(button)
})
