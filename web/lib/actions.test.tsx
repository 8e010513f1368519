import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { actions, useActions } from './actions.ts'

test('an action runs the functions of the latest render, although the list of actions stays the same', () => {
  const calls: string[] = []
  function Screen({ name }: { name: string }) {
    useActions([{ label: 'Ask', run: () => void calls.push(name), runWithText: (text) => void calls.push(`${name} ${text}`) }])
    return null
  }
  const { rerender, unmount } = render(<Screen name="Ann" />)
  const [action] = actions.get()
  rerender(<Screen name="Bob" />)
  expect(actions.get()).toEqual([action])
  action?.run()
  action?.runWithText?.('quill')
  expect(calls).toEqual(['Bob', 'Bob quill'])
  unmount()
  expect(actions.get()).toEqual([])
})
