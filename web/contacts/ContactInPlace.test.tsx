// Tests the values of a contact's page that are edited where they are shown.
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Contact } from '#contract/contacts.ts'
import { queries } from '#web/lib/queries.ts'
import { changeResponse, mockServer, nora, problemResponse, renderApp } from '#web/testing.ts'
import { imara, makePage, sunniva } from './testing.ts'

const address = `/crm/contacts/${imara.id}`
const update = 'PATCH /api/contacts/{id}' // these requests contain the version of Imara's record, which is 3
const Body = z.looseObject({})
const emptyCount = { count: 0, more: false }

/** Mocks a server that stores the contact and applies edits to it. */
function mockServerWith(contact: Contact) {
  const stored = { contact }
  const server = mockServer({
    'GET /api/session': nora,
    'GET /api/contacts': makePage([sunniva]),
    'GET /api/contacts/count': { count: 1, more: false },
    'GET /api/contacts/tags': { tags: [] },
    'GET /api/contacts/{id}': () => stored.contact,
    'GET /api/changes': { rows: [], next: null },
    'GET /api/notes': { rows: [], next: null, count: 0 },
    'GET /api/deals/count': emptyCount,
    'GET /api/tasks/count': emptyCount,
    [update]: ({ body }) => {
      stored.contact = { ...stored.contact, ...Body.parse(body), version: stored.contact.version + 1 }
      return changeResponse('c-1', stored.contact)
    },
  })
  return { server, stored, getBodies: () => server.requestsTo(update).map(({ body }) => body) }
}

/** Opens the editor of a value. */
const edit = async (noun: string) => fireEvent.click(await screen.findByRole('button', { name: `Edit ${noun}` }))
const getInput = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
const type = (name: string, value: string) => fireEvent.change(getInput(name), { target: { value } })
const pressEnter = (name: string) => fireEvent.submit(getInput(name).form ?? getInput(name))
/** Moves the focus out of the input, as a click beside it does. */
const leave = (name: string) => act(() => getInput(name).blur())
const expectClosed = (name: string) => waitFor(() => expect(screen.queryByRole('textbox', { name })).toBeNull())
const expectFocusOn = (name: string) => waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name })))
/** The label of the phone number in the editor. */
const phone = 'Phone optional'

test('Enter saves a value with the version of the record, offers Undo, and returns the focus to the edit button', async () => {
  const { getBodies } = mockServerWith(imara)
  await renderApp(address)
  await edit('phone')
  expect(getInput(phone).value).toBe(imara.phone)
  expect(document.activeElement).toBe(getInput(phone))
  type(phone, '+44 20 7946 0999')
  pressEnter(phone)
  expect(await screen.findByText('Contact updated')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  expect(await screen.findByRole('link', { name: '+44 20 7946 0999' })).toBeTruthy()
  expect(getBodies()).toEqual([{ phone: '+44 20 7946 0999', version: 3 }])
  await expectFocusOn('Edit phone')
})

test('a click beside a link edits the value, and a click on the link does not', async () => {
  mockServerWith(imara)
  await renderApp(address)
  const link = await screen.findByRole('link', { name: imara.phone })
  link.addEventListener('click', (event) => event.preventDefault()) // happy-dom would open the address
  fireEvent.click(link)
  expect(screen.queryByRole('textbox', { name: phone })).toBeNull()
  if (link.parentElement) fireEvent.click(link.parentElement)
  expect(getInput(phone)).toBeTruthy()
})

test('Escape restores the value, sends nothing and leaves no draft', async () => {
  const { getBodies } = mockServerWith(imara)
  await renderApp(address)
  await edit('phone')
  type(phone, '1')
  fireEvent.keyDown(getInput(phone), { key: 'Escape' })
  await expectFocusOn('Edit phone')
  expect(screen.getByRole('link', { name: imara.phone })).toBeTruthy()
  cleanup()
  await renderApp(address)
  await screen.findByRole('link', { name: imara.phone })
  expect(screen.queryByRole('textbox', { name: phone })).toBeNull()
  expect(getBodies()).toEqual([])
})

test('leaving a field saves a changed value, and sends nothing if the value is unchanged', async () => {
  const { getBodies } = mockServerWith(imara)
  await renderApp(address)
  await edit('title')
  leave('Title optional')
  await expectClosed('Title optional')
  await edit('title')
  type('Title optional', '')
  leave('Title optional')
  await expectClosed('Title optional')
  expect(getBodies()).toEqual([{ title: '', version: 3 }])
})

test('two fields that are edited quickly are both saved, even if the response to the first save arrives last', async () => {
  const { server, stored, getBodies } = mockServerWith(imara)
  const { promise, resolve } = Promise.withResolvers<Response>()
  server.setHandlers({ [update]: () => promise })
  await renderApp(address)
  await edit('phone')
  type(phone, '111')
  leave(phone)
  await waitFor(() => expect(getBodies()).toHaveLength(1))
  stored.contact = { ...imara, phone: '111', title: 'Owner', version: 5 }
  server.setHandlers({ [update]: () => changeResponse('c-2', stored.contact) })
  await edit('title')
  type('Title optional', 'Owner')
  pressEnter('Title optional')
  await expectClosed('Title optional')
  await act(async () => resolve(changeResponse('c-1', { ...imara, phone: '111', version: 4 })))
  await expectClosed(phone)
  expect(getBodies()).toEqual([
    { phone: '111', version: 3 },
    { title: 'Owner', version: 3 },
  ])
  expect(screen.getByText('Owner')).toBeTruthy()
})

test('an invalid value stays in its editor with an error message, even if the user leaves the field', async () => {
  const { getBodies } = mockServerWith(imara)
  await renderApp(address)
  await edit('email')
  type('Email optional', 'imara at quillstone')
  leave('Email optional')
  expect(await screen.findByText('Enter an email like name@example.com')).toBeTruthy()
  expect(getInput('Email optional').value).toBe('imara at quillstone')
  pressEnter('Email optional')
  expect(document.activeElement).toBe(getInput('Email optional'))
  expect(getBodies()).toEqual([])
})

test('when the response to a save is lost, the text stays, and Enter repeats the same request', async () => {
  const { server } = mockServerWith(imara)
  server.setHandlers({
    [update]: () => {
      throw new TypeError('Failed to fetch')
    },
  })
  await renderApp(address)
  await edit('phone')
  type(phone, '222')
  pressEnter(phone)
  await screen.findByText(/The server cannot be reached/)
  expect(getInput(phone).value).toBe('222')
  server.setHandlers({ [update]: changeResponse('c-1', { ...imara, phone: '222', version: 4 }) })
  await waitFor(() => expect(document.querySelector('button[data-loading]')).toBeNull())
  pressEnter(phone)
  expect(await screen.findByText('Contact updated')).toBeTruthy()
  const keys = server.requestsTo(update).map(({ headers }) => headers.get('idempotency-key'))
  expect(new Set(keys).size).toBe(1)
})

test('if somebody else has changed the same field, both values are offered, and the selected one is saved', async () => {
  const { server, getBodies } = mockServerWith(imara)
  const conflict = {
    version: 7,
    actor: `user:${nora.user.id}`,
    actor_name: null,
    at: '2026-11-20T09:00:00.000Z',
    fields: [{ field: 'phone', yours: '222', theirs: '333' }],
  }
  server.setHandlers({ [update]: () => problemResponse('conflict', { conflict }) })
  await renderApp(address)
  await edit('phone')
  type(phone, '222')
  pressEnter(phone)
  expect(await screen.findByText('Phone was changed somewhere else while you were editing')).toBeTruthy()
  server.setHandlers({ [update]: changeResponse('c-1', { ...imara, phone: '222', version: 8 }) })
  fireEvent.click(within(screen.getByRole('group', { name: 'Phone' })).getByRole('radio', { name: /^222/ }))
  fireEvent.click(screen.getByRole('button', { name: 'Save phone' }))
  expect(await screen.findByText('Contact updated')).toBeTruthy()
  expect(getBodies().at(-1)).toEqual({ phone: '222', version: 7 })
})

test('a change of another field by somebody else does not disturb the typed text', async () => {
  const { stored } = mockServerWith(imara)
  await renderApp(address)
  await edit('phone')
  type(phone, '222')
  stored.contact = { ...imara, department: 'Front desk', version: 4 }
  await act(() => queries.invalidateQueries())
  expect(await screen.findByText('Front desk')).toBeTruthy()
  expect(getInput(phone).value).toBe('222')
})

test('typed text is back after a reload, and the button Start over restores the value', async () => {
  mockServerWith(imara)
  await renderApp(address)
  await edit('phone')
  type(phone, '222')
  cleanup()
  await renderApp(address)
  expect((await screen.findByRole<HTMLInputElement>('textbox', { name: phone })).value).toBe('222')
  expect(screen.getByText('What you typed before is back. It is not saved yet.')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Start over' }))
  expect(await screen.findByRole('link', { name: imara.phone })).toBeTruthy()
})

test('leaving the page with an invalid value asks for confirmation', async () => {
  mockServerWith(imara)
  const { router } = await renderApp(address)
  await edit('email')
  type('Email optional', 'nobody')
  leave('Email optional')
  void router.navigate({ to: '/crm/contacts' })
  const dialog = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Keep editing' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(getInput('Email optional').value).toBe('nobody')
})

test('the parts of the name and of the address are edited together', async () => {
  const { getBodies } = mockServerWith({ ...imara, mailing_city: 'Millgate' })
  await renderApp(address)
  await edit('name')
  type('Last name', '')
  pressEnter('Last name')
  expect(await screen.findByText('Enter a last name')).toBeTruthy()
  type('Last name', 'Tongeren')
  pressEnter('Last name')
  expect(await screen.findByRole('heading', { name: 'Imara Tongeren' })).toBeTruthy()
  await edit('address')
  type('Street optional', '14 Chandler’s Row')
  type('City optional', '')
  pressEnter('Street optional')
  await expectClosed('Street optional')
  expect(screen.getByText('14 Chandler’s Row')).toBeTruthy()
  expect(getBodies()).toEqual([
    { last_name: 'Tongeren', version: 3 },
    { mailing_street: '14 Chandler’s Row', mailing_city: '', version: 4 },
  ])
})

test('empty fields are shown on demand, and a field that is filled stays among them', async () => {
  const { getBodies } = mockServerWith(imara)
  await renderApp(address)
  const toggle = await screen.findByRole('button', { name: 'Show 7 empty fields' })
  expect(screen.queryByText('Department')).toBeNull()
  fireEvent.click(toggle)
  expect(toggle.getAttribute('aria-expanded')).toBe('true')
  await edit('department')
  type('Department optional', 'Front desk')
  pressEnter('Department optional')
  await expectFocusOn('Edit department')
  expect(screen.getByRole('button', { name: 'Hide empty fields' })).toBeTruthy()
  expect(screen.getByText('Front desk')).toBeTruthy()
  expect(getBodies()).toEqual([{ department: 'Front desk', version: 3 }])
})

test('the editor of a multi-line description opens with the caret at the end', async () => {
  const description = 'Oak\nash'
  mockServerWith({ ...imara, description })
  await renderApp(address)
  await edit('description')
  const input = getInput('Description optional')
  await waitFor(() => expect(document.activeElement).toBe(input))
  expect([input.selectionStart, input.selectionEnd]).toEqual([description.length, description.length])
})

test('a multi-line description is saved with Ctrl+Enter, and tags are saved when the user leaves their field', async () => {
  const { getBodies } = mockServerWith({ ...imara, description: 'Oak', tags: ['Dental'] })
  await renderApp(address)
  await edit('description')
  type('Description optional', 'Oak\nash')
  fireEvent.keyDown(getInput('Description optional'), { key: 'Enter' })
  expect(getBodies()).toEqual([])
  fireEvent.keyDown(getInput('Description optional'), { key: 'Enter', ctrlKey: true })
  await expectClosed('Description optional')
  await edit('tags')
  const tags = screen.getByLabelText('Tags optional', { selector: 'input' })
  fireEvent.change(tags, { target: { value: 'Newsletter' } })
  act(() => tags.blur())
  expect(await screen.findByTitle('Newsletter')).toBeTruthy()
  expect(getBodies()).toEqual([
    { description: 'Oak\nash', version: 3 },
    { tags: ['Dental', 'Newsletter'], version: 4 },
  ])
})

test('selecting an option in a choice field or a link field saves it', async () => {
  // for this test it does not matter who `reports_to_id` is
  const { getBodies } = mockServerWith({ ...imara, lead_source: 'Web', reports_to_id: imara.id, reports_to_name: 'Nobody' })
  await renderApp(address)
  await edit('lead source')
  fireEvent.click(await screen.findByRole('option', { name: 'Other' }))
  await waitFor(() => expect(getBodies()).toEqual([{ lead_source: 'Other', version: 3 }]))
  await edit('reports to')
  fireEvent.click(await screen.findByRole('option', { name: /^Sunniva Thackerly/ }))
  await waitFor(() => expect(getBodies().at(-1)).toEqual({ reports_to_id: sunniva.id, version: 4 }))
  expect(screen.queryByRole('textbox', { name: 'Reports to optional' })).toBeNull()
})
