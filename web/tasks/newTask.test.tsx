import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { getToday } from '#web/lib/format.ts'
import { changeResponse, nora, renderApp, mockServer } from '#web/testing.ts'
import { makePage, van } from './testing.ts'

test.each([
  ['view=today&sort=title', { title: 'Call the landlord', due_date: getToday() }],
  ['view=overdue&search=van&columns=due_date', { title: 'Call the landlord' }],
])('a task that is added over the list ?%s is saved with the fields %j', async (search, body) => {
  const server = mockServer({
    'GET /api/session': nora,
    'GET /api/tasks': makePage([van]),
    'GET /api/tasks/count': { count: 1, more: false },
    'GET /api/views': { rows: [] },
    'POST /api/tasks': changeResponse('01930000-0000-7000-8000-0000000000e7', van, 201),
  })
  await renderApp(`/crm/tasks/new?${search}`)
  fireEvent.change(await screen.findByLabelText(/^Title/), { target: { value: 'Call the landlord' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save task' }))
  expect(await screen.findByText('Task created')).toBeTruthy()
  expect(server.requestsTo('POST /api/tasks')[0]?.body).toEqual({ id: expect.any(String), ...body })
})
