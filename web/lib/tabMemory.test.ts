import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { removeFromTab, readFromTab, clearTabMemory, storeInTab, setTabMemoryOwner } from './tabMemory.ts'

const Draft = z.object({ words: z.string() })

test('a stored value is returned to its owner, and removed when another user signs in', () => {
  setTabMemoryOwner('nora')
  storeInTab('draft', { words: 'Dear' })
  setTabMemoryOwner('nora')
  expect(readFromTab('draft', Draft)).toEqual({ words: 'Dear' })
  setTabMemoryOwner('bastian')
  expect(readFromTab('draft', Draft)).toBeUndefined()
  expect(sessionStorage).toHaveLength(0)
})

test.each(['{', '{"words":1}', 'null'])('%s in the storage is ignored', (broken) => {
  setTabMemoryOwner('nora')
  storeInTab('draft', {})
  const [key = ''] = Object.keys(sessionStorage)
  sessionStorage.setItem(key, broken)
  expect(readFromTab('draft', Draft)).toBeUndefined()
})

test('values can be removed one by one or together; values of other applications stay', () => {
  setTabMemoryOwner('nora')
  sessionStorage.setItem('of another application', '1')
  for (const name of ['draft', 'note', 'list']) storeInTab(name, { words: name })
  removeFromTab('draft')
  expect(readFromTab('draft', Draft)).toBeUndefined()
  expect(readFromTab('note', Draft)).toEqual({ words: 'note' })
  clearTabMemory()
  expect(Object.keys(sessionStorage)).toEqual(['of another application'])
})
