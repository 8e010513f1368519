import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { changeResponse, problemResponse, renderApp, setWindowWidth } from '#web/testing.ts'
import { mockServerWith, visit } from '../testing.ts'

const updateRoute = 'PATCH /api/bookings/{id}'

test('of two quick moves of a booking, the second is sent after the response to the first, and is shown meanwhile', async () => {
  setWindowWidth(1280)
  const server = mockServerWith(visit)
  const [first, second] = [Promise.withResolvers<Response>(), Promise.withResolvers<Response>()]
  const responses = [first.promise, second.promise]
  server.setHandlers({ [updateRoute]: () => responses.shift() ?? problemResponse('internal') })
  await renderApp('/bookings/calendar?view=week&day=2026-11-23')
  await screen.findByRole('link', { name: /^Site visit 14:00/ })
  const moveDown = (): void => {
    for (const key of [' ', 'ArrowDown', ' ']) fireEvent.keyDown(screen.getByRole('link', { name: /^Site visit/ }), { key })
  }
  moveDown()
  moveDown()
  await waitFor(() => expect(server.requestsTo(updateRoute)).toHaveLength(1))
  const times = (start: string, end: string) => ({ start_time: `2026-11-23T${start}:00.000Z`, end_time: `2026-11-23T${end}:00.000Z` })
  first.resolve(changeResponse('c-1', { ...visit, ...times('14:15', '14:45'), version: 3 }))
  expect(await screen.findByText('Booking updated')).toBeTruthy()
  await waitFor(() =>
    expect(server.requestsTo(updateRoute).map(({ body }) => body)).toEqual([
      { ...times('14:15', '14:45'), version: 2 },
      { ...times('14:30', '15:00'), version: 3 },
    ]),
  )
  expect(screen.getByRole('link', { name: /^Site visit 14:30/ })).toBeTruthy()
  second.resolve(problemResponse('internal'))
  // the mocked calendar still has the first start
  expect(await screen.findByRole('link', { name: /^Site visit 14:00/ })).toBeTruthy()
})

test('a booking that was changed somewhere else is not moved, and a toast says why', async () => {
  setWindowWidth(1280)
  const server = mockServerWith(visit)
  server.setHandlers({ [updateRoute]: () => problemResponse('conflict') })
  await renderApp('/bookings/calendar?view=week&day=2026-11-23')
  const block = await screen.findByRole('link', { name: /^Site visit 14:00/ })
  for (const key of [' ', 'ArrowDown', ' ']) fireEvent.keyDown(block, { key })
  expect(await screen.findByText('“Site visit” was not moved')).toBeTruthy()
  expect(screen.getByText('This was changed somewhere else while you were editing.')).toBeTruthy()
  expect(await screen.findByRole('link', { name: /^Site visit 14:00/ })).toBeTruthy()
})
