import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BookingLinkRow, emptyBookingLink, type BookingLink } from '#contract/bookingLinks.ts'
import { setElementSize } from '#web/contacts/testing.ts'
import { changeResponse, mockServer, nora, problemResponse, renderApp, setWindowWidth } from '#web/testing.ts'

const visit: BookingLink = {
  ...emptyBookingLink,
  id: '01930000-0000-7000-8000-0000000000b1',
  title: 'Site visit',
  slug: 'site-visit',
  booking_count: 3,
  waiting_count: 0,
  waiting: [],
  created_at: '2026-11-01T09:00:00.000Z',
  updated_at: '2026-11-01T09:00:00.000Z',
  version: 2,
}
const call: BookingLink = {
  ...visit,
  id: '01930000-0000-7000-8000-0000000000b2',
  title: 'First call',
  slug: 'first-call',
  duration_minutes: 90,
  is_active: false,
  booking_count: 0,
  availability: {
    weekly: [
      { weekday: 1, from: '09:00', to: '12:00' },
      { weekday: 1, from: '13:00', to: '24:00' },
    ],
    days_off: [],
    dates: [],
  },
}
const makeQuestion = (number: number, field_label: string, field_name: string) => ({
  id: `01930000-0000-7000-8000-0000000000f${number}`,
  field_name,
  field_label,
  field_type: 'text' as const,
  is_required: false,
  placeholder: '',
  options: [],
})
const linkWithQuestions: BookingLink = {
  ...visit,
  questions: { fields: [makeQuestion(1, 'Which floor?', 'floor'), makeQuestion(2, 'Is there a lift?', 'lift')] },
}
const changeId = '01930000-0000-7000-8000-0000000000e1'
const mockServerWith = (...links: BookingLink[]) =>
  mockServer({
    'GET /api/session': nora,
    'GET /api/views': { rows: [] },
    'GET /api/changes': { rows: [], next: null },
    'GET /api/booking-links': { rows: links.map((link) => BookingLinkRow.parse(link)), next: null },
    'GET /api/booking-links/count': { count: links.length, more: false },
    'GET /api/booking-links/{id}': ({ params }) => links.find(({ id }) => id === params['id']) ?? problemResponse('not_found'),
  })

beforeEach(() => {
  setElementSize()
  setWindowWidth(1280)
})
afterEach(() => setWindowWidth(1024))

test('the list shows address, duration, number of bookings and status, and a button copies the link', async () => {
  mockServerWith(visit, call)
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await renderApp('/bookings/links')
  const row = (await screen.findByRole('link', { name: 'Site visit' })).closest('tr')
  const cells = [...(row?.querySelectorAll('td') ?? [])].map((cell) => cell.textContent)
  expect(cells.slice(1, 6)).toEqual(['Site visit', '/book/site-visit', '30 minutes', '3', 'Active'])
  expect(screen.getByText('1 hour 30 minutes')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Copy link: Site visit' }))
  expect(await screen.findByText('Copied!')).toBeTruthy()
  expect(screen.getByText('Booking link copied')).toBeTruthy()
  expect(writeText).toHaveBeenCalledWith(`${location.origin}/book/site-visit`)
})

test.each([
  [visit, 'Active: Site visit', false, 'Booking link deactivated'],
  [call, 'Inactive: First call', true, 'Booking link activated'],
])('the status button changes the status, and a toast offers Undo (%#)', async (link, name, isActive, toast) => {
  const server = mockServerWith(link)
  server.setHandlers({ 'PATCH /api/booking-links/{id}': changeResponse(changeId, { ...link, is_active: isActive }) })
  await renderApp('/bookings/links')
  fireEvent.click(await screen.findByRole('button', { name }))
  expect(await screen.findByText(toast)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  expect(server.requestsTo('PATCH /api/booking-links/{id}')[0]?.body).toEqual({ is_active: isActive })
})

test('the empty list says what links are for; a new link gets its address from its title, and a wrong duration is refused', async () => {
  const server = mockServerWith()
  server.setHandlers({ 'POST /api/booking-links': changeResponse(changeId, visit, 201) })
  await renderApp('/bookings/links')
  expect(await screen.findByRole('heading', { name: 'Let visitors book a time with you' })).toBeTruthy()
  fireEvent.click(screen.getByRole('link', { name: 'Add booking link' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add booking link' }))
  const type = (name: string, value: string) => fireEvent.change(dialog.getByRole('textbox', { name }), { target: { value } })
  const save = () => fireEvent.click(dialog.getByRole('button', { name: 'Save booking link' }))
  const slug = dialog.getByRole<HTMLInputElement>('textbox', { name: 'Address' })
  type('Title', '  Café & Größe -- visit! ')
  expect(slug.value).toBe('cafe-grosse-visit')
  expect(dialog.getByText(`${location.origin}/book/cafe-grosse-visit`)).toBeTruthy()
  type('Address', 'my-own')
  type('Title', 'Site visit')
  expect(slug.value).toBe('my-own')
  type('Address', '')
  fireEvent.blur(slug)
  expect(slug.value).toBe('site-visit')
  for (const [minutes, error] of [
    ['14', 'At least 15'],
    ['20', 'Choose a multiple of 15'],
    ['', 'Enter a number'],
  ] as const) {
    type('Duration', minutes)
    save()
    expect(await dialog.findByText(error)).toBeTruthy()
  }
  const duration = dialog.getByRole<HTMLInputElement>('textbox', { name: 'Duration' })
  type('Duration', '30')
  fireEvent.keyDown(duration, { key: 'ArrowUp' })
  expect(duration.value).toBe('45')
  fireEvent.click(dialog.getByRole('radio', { name: 'Teal' }))
  save()
  expect(await screen.findByText('Booking link created')).toBeTruthy()
  expect(server.requestsTo('POST /api/booking-links')[0]?.body).toEqual({
    id: expect.any(String),
    title: 'Site visit',
    slug: 'site-visit',
    duration_minutes: 45,
    color: '#0D9488',
  })
})

test('the hours of a day are set with breaks and copied to other days; days off and single dates are added', async () => {
  const server = mockServerWith(visit)
  server.setHandlers({ 'PATCH /api/booking-links/{id}': changeResponse(changeId, { ...visit, version: 3 }) })
  await renderApp(`/bookings/links/${visit.id}/edit`)
  await screen.findByRole('textbox', { name: 'Title' })
  const dialog = within(screen.getByRole('dialog', { name: 'Edit booking link' }))
  expect(await dialog.findByText('Every day from 09:00 to 16:30, in the time zone of the visitor.')).toBeTruthy()
  fireEvent.click(dialog.getByRole('button', { name: 'My hours' }))
  expect(dialog.getByText('Times in Europe/London')).toBeTruthy()
  for (const day of ['Tuesday', 'Wednesday', 'Thursday']) fireEvent.click(dialog.getByRole('checkbox', { name: day }))
  fireEvent.change(dialog.getByLabelText('Monday, to'), { target: { value: '12:00' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Add hours after a break: Monday' }))
  fireEvent.change(dialog.getAllByLabelText('Monday, to')[1] ?? document.body, { target: { value: '00:00' } })
  expect(dialog.getByRole('button', { name: 'Add hours after a break: Monday' }).hasAttribute('disabled')).toBe(true) // the day is full
  fireEvent.click(dialog.getByRole('button', { name: 'Copy hours of Monday' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'To Friday' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Add days off' }))
  fireEvent.change(dialog.getByRole('textbox', { name: 'Last day off' }), { target: { value: '02/01/2027' } })
  // an unfinished first day does not change the last day
  for (const typed of ['24', '24/12/202', '24/12/2026'])
    fireEvent.change(dialog.getByRole('textbox', { name: 'First day off' }), { target: { value: typed } })
  fireEvent.click(dialog.getByRole('button', { name: 'Add date' }))
  fireEvent.change(dialog.getByRole('textbox', { name: 'Date' }), { target: { value: '05/12/2026' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Remove 09:00 to 17:00: 05/12/2026' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Save booking link' }))
  expect(await screen.findByText('Booking link updated')).toBeTruthy()
  const hours = [1, 5].flatMap((weekday) => [
    { weekday, from: '09:00', to: '12:00' },
    { weekday, from: '13:00', to: '24:00' },
  ])
  expect(server.requestsTo('PATCH /api/booking-links/{id}')[0]?.body).toEqual({
    availability: { weekly: hours, days_off: [{ from: '2026-12-24', to: '2027-01-02' }], dates: [{ date: '2026-12-05', hours: [] }] },
    version: 2,
  })
})

test('hours that end before they start are refused with the name of the day, and nothing is sent', async () => {
  const server = mockServerWith(call)
  await renderApp(`/bookings/links/${call.id}/edit`)
  await screen.findByRole('textbox', { name: 'Title' })
  const dialog = within(screen.getByRole('dialog', { name: 'Edit booking link' }))
  fireEvent.change((await dialog.findAllByLabelText('Monday, to'))[0] ?? document.body, { target: { value: '08:00' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Save booking link' }))
  expect((await dialog.findByRole('alert')).textContent).toBe('Monday: The end must be after the start')
  expect(server.requestsTo('PATCH /api/booking-links/{id}')).toEqual([])
})

test('hours that overlap are refused at their day', async () => {
  const server = mockServerWith(call)
  await renderApp(`/bookings/links/${call.id}/edit`)
  await screen.findByRole('textbox', { name: 'Title' })
  const dialog = within(screen.getByRole('dialog', { name: 'Edit booking link' }))
  const monday = within(await dialog.findByRole('group', { name: 'Monday' }))
  fireEvent.change(monday.getAllByLabelText('Monday, to')[0] ?? document.body, { target: { value: '17:00' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Save booking link' }))
  expect((await monday.findByRole('alert')).textContent).toBe(
    'Monday: These hours overlap others. For a break, enter the hours before it and the hours after it',
  )
  await waitFor(() => expect(document.activeElement).toBe(monday.getAllByLabelText('Monday, from')[1]))
  expect(server.requestsTo('PATCH /api/booking-links/{id}')).toEqual([])
})

test('when days off and an option are refused, the first one in the dialog gets the focus, and each message is at its field', async () => {
  const question = { ...makeQuestion(1, 'Which floor?', 'floor'), field_type: 'radio' as const, options: ['One', 'Two'] }
  mockServerWith({ ...call, questions: { fields: [question] } })
  await renderApp(`/bookings/links/${call.id}/edit`)
  await screen.findByRole('textbox', { name: 'Title' })
  const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save booking link' }))
  const options = screen.getByLabelText(/^Options/)
  fireEvent.change(options, { target: { value: 'One\nTwo\nOne' } })
  fireEvent.click(screen.getByRole('button', { name: 'Add days off' }))
  fireEvent.change(screen.getByRole('textbox', { name: 'Last day off' }), { target: { value: '02/01/2020' } })
  save()
  expect((await within(screen.getByRole('group', { name: 'Days off' })).findByRole('alert')).textContent).toBe(
    'Days off: The last day is before the first',
  )
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Last day off' })))
  const card = within(screen.getByRole('listitem', { name: 'Which floor?' }))
  expect(card.getByText('Name each option only once')).toBeTruthy()
  expect(screen.getAllByText(/Name each option only once/)).toHaveLength(1)
  fireEvent.click(screen.getByRole('button', { name: /^Remove days off/ }))
  save()
  await waitFor(() => expect(document.activeElement).toBe(options))
})

test('questions are added, put in order and removed, and the error of an invalid question is at its field', async () => {
  const server = mockServerWith(linkWithQuestions)
  server.setHandlers({ 'PATCH /api/booking-links/{id}': changeResponse(changeId, { ...linkWithQuestions, version: 3 }) })
  await renderApp(`/bookings/links/${linkWithQuestions.id}/edit`)
  const list = within(await screen.findByRole('list', { name: 'Questions' }))
  const add = () => fireEvent.click(screen.getByRole('button', { name: 'Add question' }))
  const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save booking link' }))
  const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })
  fireEvent.click(list.getByRole('button', { name: 'Remove Which floor?' }))
  add()
  save()
  expect(await screen.findAllByText(/Enter a label/)).toHaveLength(1)
  const label = list.getAllByLabelText('Label')[1] ?? document.body
  expect(label.getAttribute('aria-invalid')).toBe('true')
  await waitFor(() => expect(document.activeElement).toBe(label))
  type(label, 'Which rooms?')
  const card = within(list.getByRole('listitem', { name: 'Which rooms?' }))
  expect(card.queryByRole('option', { name: 'File' })).toBeNull()
  type(card.getByLabelText('Type'), 'checkbox')
  type(card.getByLabelText(/^Options/), 'Hall\n\n Attic')
  fireEvent.click(card.getByRole('switch', { name: 'Required' }))
  fireEvent.keyDown(card.getByRole('button', { name: 'Move Which rooms?' }), { key: 'ArrowUp' })
  expect(list.getAllByRole('listitem').map((item) => item.getAttribute('aria-label'))).toEqual(['Which rooms?', 'Is there a lift?'])
  save()
  expect(await screen.findByText('Booking link updated')).toBeTruthy()
  expect(server.requestsTo('PATCH /api/booking-links/{id}')[0]?.body).toEqual({
    questions: {
      fields: [
        expect.objectContaining({ field_label: 'Which rooms?', field_type: 'checkbox', is_required: true, options: ['Hall', 'Attic'] }),
        linkWithQuestions.questions?.fields[1],
      ],
    },
    version: 2,
  })
})

test('the panel lists the questions', async () => {
  mockServerWith(linkWithQuestions)
  await renderApp(`/bookings/links/${linkWithQuestions.id}`)
  const panel = within(await screen.findByRole('complementary', { name: 'Booking link' }))
  expect((await panel.findByText('Which floor?')).closest('dd')?.textContent).toBe('Which floor?Is there a lift?')
})

test('the error of a taken address is shown', async () => {
  const server = mockServerWith(visit)
  const taken = problemResponse('invalid', { fields: { slug: 'This address is taken. Choose another one.' } })
  server.setHandlers({ 'PATCH /api/booking-links/{id}': taken })
  await renderApp(`/bookings/links/${visit.id}/edit`)
  fireEvent.change(await screen.findByRole('textbox', { name: 'Address' }), { target: { value: 'other' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save booking link' }))
  expect(await screen.findByText('This address is taken. Choose another one.')).toBeTruthy()
})

test('the panel shows the hours and the address, copies the embed code, and the Delete key deletes the booking link', async () => {
  const server = mockServerWith(call)
  server.setHandlers({ 'DELETE /api/booking-links/{id}': changeResponse(changeId) })
  const { router } = await renderApp(`/bookings/links/${call.id}`)
  const panel = within(await screen.findByRole('complementary', { name: 'Booking link' }))
  expect(await panel.findByText(`${location.origin}/book/first-call`)).toBeTruthy()
  expect(panel.getByText('09:00 to 12:00, 13:00 to 24:00')).toBeTruthy()
  expect(panel.getByText('Free time').closest('dt')?.nextSibling?.textContent).toBe('None before or after a booking')
  expect(panel.getByRole('button', { name: 'Inactive' })).toBeTruthy()
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  fireEvent.click(panel.getByRole('button', { name: 'Copy code' }))
  expect(await screen.findByText('Code for your website copied')).toBeTruthy()
  expect(writeText).toHaveBeenCalledWith(`<script src="${location.origin}/embed/book.js" data-book="first-call" async></script>`)
  fireEvent.keyDown(screen.getByRole('complementary', { name: 'Booking link' }), { key: 'Delete' })
  expect(await screen.findByText('Booking link deleted')).toBeTruthy()
  await waitFor(() => expect(router.state.location.pathname).toBe('/bookings/links'))
})
