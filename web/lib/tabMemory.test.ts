import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { dropFromTab, findInTab, forgetTabMemory, keepInTab, setTabMemoryOwner } from './tabMemory.ts'

const Draft = z.object({ words: z.string() })

test('a stored value is returned to its owner, and removed when another user signs in', () => {
  setTabMemoryOwner('nora')
  keepInTab('draft', { words: 'Dear' })
  setTabMemoryOwner('nora')
  expect(findInTab('draft', Draft)).toEqual({ words: 'Dear' })
  setTabMemoryOwner('bastian')
  expect(findInTab('draft', Draft)).toBeUndefined()
  expect(sessionStorage).toHaveLength(0)
})

test.each(['{', '{"words":1}', 'null'])('%s in the storage is ignored', (broken) => {
  setTabMemoryOwner('nora')
  keepInTab('draft', {})
  const [key = ''] = Object.keys(sessionStorage)
  sessionStorage.setItem(key, broken)
  expect(findInTab('draft', Draft)).toBeUndefined()
})

test('values can be removed one by one or together; values of other applications stay', () => {
  setTabMemoryOwner('nora')
  sessionStorage.setItem('of another application', '1')
  for (const name of ['draft', 'note', 'list']) keepInTab(name, { words: name })
  dropFromTab('draft')
  expect(findInTab('draft', Draft)).toBeUndefined()
  expect(findInTab('note', Draft)).toEqual({ words: 'note' })
  forgetTabMemory()
  expect(Object.keys(sessionStorage)).toEqual(['of another application'])
})
