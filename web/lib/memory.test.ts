import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { browserMemory } from './browserMemory.ts'
import { tabMemory } from './tabMemory.ts'

const Draft = z.object({ text: z.string() })
const memories = [
  { place: 'the tab', memory: tabMemory, getStorage: () => sessionStorage, getOtherStorage: () => localStorage },
  { place: 'the browser', memory: browserMemory, getStorage: () => localStorage, getOtherStorage: () => sessionStorage },
]

test.each(memories)(
  'a value stored in $place is returned to its owner, and removed when another user signs in',
  ({ memory, getStorage }) => {
    memory.setOwner('nora')
    memory.store('draft', { text: 'Dear' })
    memory.setOwner('nora')
    expect(memory.read('draft', Draft)).toEqual({ text: 'Dear' })
    memory.setOwner('bastian')
    expect(memory.read('draft', Draft)).toBeUndefined()
    expect(getStorage()).toHaveLength(0)
  },
)

test.each(['{', '{"text":1}', 'null'])('the invalid value %s in the storage is ignored', (invalidValue) => {
  tabMemory.setOwner('nora')
  tabMemory.store('draft', {})
  const [key = ''] = Object.keys(sessionStorage)
  sessionStorage.setItem(key, invalidValue)
  expect(tabMemory.read('draft', Draft)).toBeUndefined()
})

test.each(memories)(
  'one value or all values can be removed from $place, and other values stay',
  ({ memory, getStorage, getOtherStorage }) => {
    memory.setOwner('nora')
    // keys of this program begin with 'foyer '
    for (const storage of [getStorage(), getOtherStorage()]) storage.setItem('foyer-of another program', '1')
    for (const name of ['draft', 'note', 'list']) memory.store(name, { text: name })
    memory.remove('draft')
    expect(memory.read('draft', Draft)).toBeUndefined()
    expect(memory.read('note', Draft)).toEqual({ text: 'note' })
    memory.clear()
    expect(Object.keys(getStorage())).toEqual(['foyer-of another program'])
    expect(Object.keys(getOtherStorage())).toEqual(['foyer-of another program'])
  },
)
