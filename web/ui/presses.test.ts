import { fireEvent } from '@testing-library/react'
import { expect, test } from 'vitest'
import { waitForRelease } from './presses.ts'

const afterTimers = () => new Promise((resolve) => setTimeout(resolve, 5))

/**
 * Sends the events one after the other, and calls `waitForRelease` after the first one. Returns the name of the event after which the
 * promise of `waitForRelease` was resolved, in a list, which is empty if it was not resolved.
 */
async function runAll(events: [name: string, send: () => void][]): Promise<string[]> {
  const resolvedAfter: string[] = []
  let latest = ''
  for (const [name, send] of events) {
    send()
    latest = name
    if (name === events[0]?.[0]) void waitForRelease().then(() => resolvedAfter.push(latest))
    await afterTimers()
  }
  return resolvedAfter
}

test.each([
  ['a mouse button', () => fireEvent.pointerDown(window), () => fireEvent.pointerUp(window)],
  ['a finger that scrolls the page', () => fireEvent.pointerDown(window), () => fireEvent.pointerCancel(window)],
  ['the space bar', () => fireEvent.keyDown(window, { key: ' ' }), () => fireEvent.keyUp(window, { key: ' ' })],
  ['a window that loses the focus', () => fireEvent.pointerDown(window), () => fireEvent.blur(window)],
])('a press ends when it is released or cancelled, and not when another key is released: %s', async (_, press, release) => {
  const letter: [string, () => void] = ['letter', () => void fireEvent.keyUp(window, { key: 'a' })]
  expect(await runAll([['press', press], letter, ['release', release]])).toEqual(['release'])
})

test('waitForRelease also waits for the end of a press that begins directly after a release', async () => {
  fireEvent.pointerDown(window)
  fireEvent.pointerUp(window)
  fireEvent.pointerDown(window)
  expect(
    await runAll([
      ['nothing', () => {}],
      ['release', () => void fireEvent.pointerUp(window)],
    ]),
  ).toEqual(['release'])
})

test('a letter that is held down is not a press', async () => {
  expect(await runAll([['letter', () => void fireEvent.keyDown(window, { key: 'a' })]])).toEqual(['letter'])
})
