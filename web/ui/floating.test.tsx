import { ActionIcon, MantineProvider } from '@mantine/core'
import { act, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { loadFloating } from './floating.ts'
import { Tooltip } from './Tooltip.tsx'

test('a button with a tooltip keeps the focus when the code of tooltips arrives', async () => {
  render(
    <MantineProvider env="test">
      <Tooltip label="Columns of the list">
        <ActionIcon aria-label="Columns">c</ActionIcon>
      </Tooltip>
    </MantineProvider>,
  )
  const buttonBeforeLoad = screen.getByRole('button', { name: 'Columns' })
  buttonBeforeLoad.focus()
  await act(loadFloating)
  const button = screen.getByRole('button', { name: 'Columns' })
  expect(button).not.toBe(buttonBeforeLoad) // React has created a new element
  expect(document.activeElement).toBe(button)
})
