// Tests the checkbox that completes a task.
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { Task } from '#contract/tasks.ts'
import { setElementSize } from '#web/contacts/testing.ts'
import { changeResponse, mockServer, nora, problemResponse, renderApp } from '#web/testing.ts'
import { invoice, makePage, van } from './testing.ts'

beforeEach(setElementSize)

const changeId = '01930000-0000-7000-8000-0000000000e1'
const updateRoute = 'PATCH /api/tasks/{id}'

const mockServerWith = (task: Task, update: Parameters<typeof mockServer>[0][string]) =>
  mockServer({
    'GET /api/session': nora,
    'GET /api/tasks/count': { count: 1, more: false },
    'GET /api/tasks': ({ query }) => makePage(query['filter']?.includes('completed_at') ? [] : [task]),
    [updateRoute]: update,
  })
const findToggle = ({ title }: Task) => screen.findByRole<HTMLInputElement>('checkbox', { name: `Complete: ${title}` })

test('unchecking a completed task makes it pending', async () => {
  const server = mockServerWith(invoice, changeResponse(changeId, { ...invoice, status: 'pending' }))
  await renderApp('/crm/tasks')
  fireEvent.click(await findToggle(invoice))
  expect(await screen.findByText('Task marked as pending')).toBeTruthy()
  expect(server.requestsTo(updateRoute)[0]?.body).toEqual({ status: 'pending' })
})

test('when a new status cannot be saved, the old status is shown again', async () => {
  mockServerWith(van, () => problemResponse('internal'))
  await renderApp('/crm/tasks')
  const toggle = await findToggle(van)
  fireEvent.click(toggle)
  expect(await screen.findByText('Error')).toBeTruthy()
  await waitFor(() => expect(toggle.checked).toBe(false))
})

test('of two quick changes of the status, the second is sent after the response to the first, and is shown meanwhile', async () => {
  const [first, second] = [Promise.withResolvers<Response>(), Promise.withResolvers<Response>()]
  const responses = [first.promise, second.promise]
  const server = mockServerWith(van, () => responses.shift() ?? problemResponse('internal'))
  await renderApp('/crm/tasks')
  const toggle = await findToggle(van)
  fireEvent.click(toggle)
  fireEvent.click(toggle)
  await waitFor(() => expect(server.requestsTo(updateRoute)).toHaveLength(1))
  expect(toggle.checked).toBe(false)
  server.setHandlers({ 'GET /api/tasks': makePage([{ ...van, status: 'completed' }]) })
  first.resolve(changeResponse(changeId, { ...van, status: 'completed' }))
  expect(await screen.findByText('Task marked as completed')).toBeTruthy()
  await waitFor(() =>
    expect(server.requestsTo(updateRoute).map(({ body }) => body)).toEqual([{ status: 'completed' }, { status: 'pending' }]),
  )
  expect(toggle.checked).toBe(false)
  second.resolve(problemResponse('internal')) // the saved status is shown again
  await waitFor(() => expect(toggle.checked).toBe(true))
})
