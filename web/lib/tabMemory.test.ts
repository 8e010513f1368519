import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { removeFromTab, readFromTab, clearTabMemory, storeInTab, setTabMemoryOwner } from './tabMemory.ts'

const Draft = z.object({ text: z.string() })

test('a stored value is returned to its owner, and removed when another user signs in', () => {
  setTabMemoryOwner('nora')
  storeInTab('draft', { text: 'Dear' })
  setTabMemoryOwner('nora')
  expect(readFromTab('draft', Draft)).toEqual({ text: 'Dear' })
  setTabMemoryOwner('bastian')
  expect(readFromTab('draft', Draft)).toBeUndefined()
  expect(sessionStorage).toHaveLength(0)
})

test.each(['{', '{"text":1}', 'null'])('the invalid value %s in the storage is ignored', (invalidValue) => {
  setTabMemoryOwner('nora')
  storeInTab('draft', {})
  const [key = ''] = Object.keys(sessionStorage)
  sessionStorage.setItem(key, invalidValue)
  expect(readFromTab('draft', Draft)).toBeUndefined()
})

test('one value or all values can be removed, and values of other applications stay', () => {
  setTabMemoryOwner('nora')
  sessionStorage.setItem('of another application', '1')
  for (const name of ['draft', 'note', 'list']) storeInTab(name, { text: name })
  removeFromTab('draft')
  expect(readFromTab('draft', Draft)).toBeUndefined()
  expect(readFromTab('note', Draft)).toEqual({ text: 'note' })
  clearTabMemory()
  expect(Object.keys(sessionStorage)).toEqual(['of another application'])
})
