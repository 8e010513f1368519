import { act, fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { emptyDashboard } from '#web/dashboard/testing.ts'
import { toast } from '#web/lib/toasts.ts'
import { mockServer, nora, renderApp } from '#web/testing.ts'

beforeEach(async () => {
  mockServer({ 'GET /api/session': nora, 'GET /api/dashboard': emptyDashboard, 'GET /api/tasks/count': { count: 0, more: false } })
  await renderApp('/dashboard')
  await screen.findByRole('heading', { name: 'Welcome, Nora' })
  vi.useFakeTimers()
})

const showToast = (title: string): void => act(() => toast({ kind: 'success', title }))
const getToaster = () => screen.getByRole('region', { name: 'Notifications' })
const getDismissButton = () => screen.getByRole('button', { name: 'Dismiss notification' })
const waitSeconds = (seconds: number): void => act(() => void vi.advanceTimersByTime(seconds * 1000))

test('a toast disappears after 5 seconds, but not while the pointer is on it', () => {
  showToast('Copied!')
  fireEvent.pointerEnter(getToaster())
  waitSeconds(60)
  expect(screen.getByText('Copied!')).toBeTruthy()
  fireEvent.pointerLeave(getToaster())
  waitSeconds(5)
  expect(screen.queryByText('Copied!')).toBeNull()
})

test('a focused toast stays when the pointer moves over it, and a toast under the pointer stays when it loses the focus', () => {
  showToast('Copied!')
  act(() => getDismissButton().focus())
  fireEvent.pointerEnter(getToaster())
  fireEvent.pointerLeave(getToaster())
  waitSeconds(60)
  expect(screen.getByText('Copied!')).toBeTruthy()
  fireEvent.pointerEnter(getToaster())
  act(() => getDismissButton().blur())
  waitSeconds(60)
  expect(screen.getByText('Copied!')).toBeTruthy()
  fireEvent.pointerLeave(getToaster())
  waitSeconds(5)
  expect(screen.queryByText('Copied!')).toBeNull()
})

test('after a focused toast is dismissed, the next toast disappears after 5 seconds', () => {
  showToast('Copied!')
  act(() => getDismissButton().focus())
  fireEvent.click(getDismissButton())
  showToast('Restored')
  waitSeconds(5)
  expect(screen.queryByText('Restored')).toBeNull()
})

test('after a toast is dismissed under the pointer, the next toast disappears after 5 seconds', () => {
  showToast('Copied!')
  fireEvent.pointerEnter(getToaster())
  fireEvent.click(getDismissButton())
  showToast('Restored')
  waitSeconds(5)
  expect(screen.queryByText('Restored')).toBeNull()
})

test('after one of two toasts is focused and dismissed, the other one disappears after 5 seconds', () => {
  showToast('Copied!')
  showToast('Restored')
  const [first] = screen.getAllByRole('button', { name: 'Dismiss notification' })
  act(() => first?.focus())
  if (first) fireEvent.click(first)
  expect(screen.queryByText('Copied!')).toBeNull()
  waitSeconds(5)
  expect(screen.queryByText('Restored')).toBeNull()
})
