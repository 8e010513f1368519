import { act, fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { BookingLinkRow, emptyBookingLink, type BookingLink } from '#contract/bookingLinks.ts'
import { setElementSize } from '#web/contacts/testing.ts'
import { mockServer, nora, renderApp } from '#web/testing.ts'

const link: BookingLink = {
  ...emptyBookingLink,
  id: '01930000-0000-7000-8000-0000000000b1',
  title: 'Site visit',
  slug: 'site-visit',
  questions: {
    fields: [
      {
        id: '01930000-0000-7000-8000-0000000000f1',
        field_name: 'floor',
        field_label: 'Which floor?',
        field_type: 'text',
        is_required: false,
        placeholder: '',
        options: [],
      },
    ],
  },
  booking_count: 0,
  waiting_count: 0,
  waiting: [],
  created_at: '2026-11-01T09:00:00.000Z',
  updated_at: '2026-11-01T09:00:00.000Z',
  version: 2,
}

beforeEach(setElementSize)

test('Escape that cancels the drag of a question does not close the dialog', async () => {
  mockServer({
    'GET /api/session': nora,
    'GET /api/views': { rows: [] },
    'GET /api/changes': { rows: [], next: null },
    'GET /api/booking-links': { rows: [BookingLinkRow.parse(link)], next: null },
    'GET /api/booking-links/count': { count: 1, more: false },
    'GET /api/booking-links/{id}': link,
  })
  await renderApp(`/bookings/links/${link.id}/edit`)
  const handle = await screen.findByRole('button', { name: 'Move Which floor?' })
  fireEvent.change(screen.getByRole('textbox', { name: 'Title' }), { target: { value: 'Visit' } })
  const send = (name: string, y: number): void => {
    const init = { bubbles: true, clientY: y, pointerId: 1, pointerType: 'mouse', isPrimary: true, button: 0 }
    act(() => void handle.dispatchEvent(new PointerEvent(name, init)))
  }
  act(() => handle.focus())
  send('pointerdown', 10)
  send('pointermove', 30)
  fireEvent.keyDown(handle, { key: 'Escape' })
  send('pointerup', 30)
  expect(screen.getAllByRole('dialog')).toHaveLength(1) // no question whether to leave without saving
  fireEvent.keyDown(handle, { key: 'Escape' })
  expect(await screen.findByRole('dialog', { name: 'Leave without saving?' })).toBeTruthy()
})
