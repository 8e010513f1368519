import { afterEach, expect, test } from 'vitest'
import { dismissToasts, toast, toasts } from './toasts.ts'

afterEach(() => toasts.set([]))
const titles = (): string[] => toasts.get().map(({ title }) => title)

test('a failure that comes again takes the place of the first', () => {
  toast({ kind: 'error', title: 'Error', message: 'Invalid login credentials' })
  toast({ kind: 'error', title: 'Error', message: 'The server cannot be reached' })
  toast({ kind: 'error', title: 'Error', message: 'Invalid login credentials' })
  expect(toasts.get().map(({ message }) => message)).toEqual(['The server cannot be reached', 'Invalid login credentials'])
})

test('two changes that read alike keep an Undo each, one change told twice has one', () => {
  toast({ kind: 'success', title: 'Contact updated', change: 'c-1' })
  toast({ kind: 'success', title: 'Contact updated', change: 'c-2' })
  toast({ kind: 'success', title: 'Contact updated', change: 'c-2' })
  expect(toasts.get().map(({ change }) => change)).toEqual(['c-1', 'c-2'])
})

test('what no longer holds goes, the rest stays', () => {
  toast({ kind: 'error', title: 'Error' })
  toast({ kind: 'success', title: 'Saved' })
  dismissToasts(({ kind }) => kind === 'error')
  expect(titles()).toEqual(['Saved'])
})
