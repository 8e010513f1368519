import { afterEach, expect, test } from 'vitest'
import { dismissToasts, showLastingToast, toast, toasts } from './toasts.ts'

afterEach(() => toasts.set([]))
const titles = (): string[] => toasts.get().map(({ title }) => title)

test('a repeated error replaces its first toast', () => {
  toast({ kind: 'error', title: 'Error', message: 'Invalid login credentials' })
  toast({ kind: 'error', title: 'Error', message: 'The server cannot be reached' })
  toast({ kind: 'error', title: 'Error', message: 'Invalid login credentials' })
  expect(toasts.get().map(({ message }) => message)).toEqual(['The server cannot be reached', 'Invalid login credentials'])
})

test('two changes with the same title have two toasts; one change has one toast', () => {
  toast({ kind: 'success', title: 'Contact updated', changeId: 'c-1' })
  toast({ kind: 'success', title: 'Contact updated', changeId: 'c-2' })
  toast({ kind: 'success', title: 'Contact updated', changeId: 'c-2' })
  expect(toasts.get().map(({ changeId }) => changeId)).toEqual(['c-1', 'c-2'])
})

test('the same error of two changes has two toasts, so that both changes can be undone', () => {
  toast({ kind: 'error', title: 'Some files were not moved', changeId: 'c-1' })
  toast({ kind: 'error', title: 'Some files were not moved', changeId: 'c-2' })
  expect(toasts.get().map(({ changeId }) => changeId)).toEqual(['c-1', 'c-2'])
})

test('dismissing matching toasts keeps the others', () => {
  toast({ kind: 'error', title: 'Error' })
  toast({ kind: 'success', title: 'Saved' })
  dismissToasts(({ kind }) => kind === 'error')
  expect(titles()).toEqual(['Saved'])
})

test('a fifth toast replaces the oldest one that is not lasting', () => {
  showLastingToast({ title: 'Importing' })
  for (const title of ['1', '2', '3', '4']) toast({ kind: 'success', title })
  expect(titles()).toEqual(['Importing', '2', '3', '4'])
})

test('a toast is shown even if the maximum number of lasting toasts is shown', () => {
  for (const title of ['1', '2', '3', '4']) showLastingToast({ title })
  toast({ kind: 'error', title: 'Error' })
  expect(titles()).toEqual(['1', '2', '3', '4', 'Error'])
})
