import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { dropFromTab, findInTab, forgetTabMemory, keepInTab, setTabMemoryOwner } from './tabMemory.ts'

const Letter = z.object({ words: z.string() })

test('what one person typed is there for them, and gone once somebody else comes', () => {
  setTabMemoryOwner('nora')
  keepInTab('letter', { words: 'Dear' })
  setTabMemoryOwner('nora')
  expect(findInTab('letter', Letter)).toEqual({ words: 'Dear' })
  setTabMemoryOwner('bastian')
  expect(findInTab('letter', Letter)).toBeUndefined()
  expect(sessionStorage).toHaveLength(0)
})

test.each(['{', '{"words":1}', 'null'])('%s in the storage is as good as nothing', (broken) => {
  setTabMemoryOwner('nora')
  keepInTab('letter', {})
  const [key = ''] = Object.keys(sessionStorage)
  sessionStorage.setItem(key, broken)
  expect(findInTab('letter', Letter)).toBeUndefined()
})

test('things are dropped one by one, or all at once; what others keep stays', () => {
  setTabMemoryOwner('nora')
  sessionStorage.setItem('of somebody else', '1')
  for (const name of ['letter', 'note', 'list']) keepInTab(name, { words: name })
  dropFromTab('letter')
  expect(findInTab('letter', Letter)).toBeUndefined()
  expect(findInTab('note', Letter)).toEqual({ words: 'note' })
  forgetTabMemory()
  expect(Object.keys(sessionStorage)).toEqual(['of somebody else'])
})
