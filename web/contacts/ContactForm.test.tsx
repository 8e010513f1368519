import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { changeResponse, problemResponse, renderApp, mockServer } from '#web/testing.ts'
import {
  editImaraAddress,
  waitForImara,
  field,
  formRoutes as routes,
  setElementSize,
  imara,
  makeChangeSet,
  save,
  sunniva,
  type,
} from './testing.ts'

const update = 'PATCH /api/contacts/{id}' // these requests contain the version of Imara's record, which is 3
const create = 'POST /api/contacts'
/** Creates a conflict: two minutes ago an import changed Imara's phone number, which raised the version of her record to 7. */
const makePhoneConflict = () => ({
  version: 7,
  actor: 'import:01930000-0000-7000-8000-0000000000aa',
  actor_name: null,
  at: new Date(Date.now() - 120_000).toISOString(),
  fields: [{ field: 'phone', yours: '+44 20 7946 0181', theirs: '+44 20 7946 0119' }],
})

beforeEach(setElementSize)

test('the form has all sections and marks optional fields', async () => {
  mockServer(routes)
  await renderApp('/crm/contacts/new')
  expect(await screen.findByRole('heading', { name: 'Add contact' })).toBeTruthy()
  const sections = ['Basic Information', 'Contact Details', 'Professional Information', 'Mailing Address', 'Additional Information']
  expect(screen.getAllByRole('group').map((group) => group.querySelector('legend')?.textContent)).toEqual(sections)
  expect(screen.getAllByRole('textbox').map((input) => input.getAttribute('name'))).toEqual([
    'first_name',
    'last_name',
    'email',
    'phone',
    'mobile_phone',
    'title',
    'department',
    'mailing_street',
    'mailing_city',
    'mailing_postal_code',
    'mailing_state',
    'mailing_country',
    'description',
  ])
  const comboboxes = ['Company optional', 'Reports to optional', 'Lead source optional', 'Tags optional']
  for (const name of comboboxes) expect(screen.getByRole('combobox', { name })).toBeTruthy()
  expect(field('First name').getAttribute('aria-required') ?? field('First name').required).toBeTruthy()
  expect(field('Email optional').type).toBe('email')
  await waitFor(() => expect(document.activeElement).toBe(field('First name')))
  expect(screen.getByRole('link', { name: 'Back to Contacts' }).getAttribute('href')).toBe('/crm/contacts')
  fireEvent.click(screen.getByRole('combobox', { name: 'Lead source optional' }))
  for (const name of ['Web', 'Phone Inquiry', 'Partner Referral', 'Purchased List', 'Other'])
    expect(await screen.findByRole('option', { name })).toBeTruthy()
})

test('Cancel opens the list', async () => {
  mockServer(routes)
  const { router } = await renderApp('/crm/contacts/new')
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/crm/contacts'))
})

test('invalid fields show messages, the first invalid field gets the focus, and nothing is sent', async () => {
  const server = mockServer(routes)
  await renderApp('/crm/contacts/new')
  await screen.findByRole('textbox', { name: 'First name' })
  type('First name', 'Imara')
  type('Email optional', 'imara@')
  save()
  expect(await screen.findByText('Enter a last name')).toBeTruthy()
  expect(screen.getByText('Enter an email like name@example.com')).toBeTruthy()
  expect(document.activeElement).toBe(field('Last name'))
  expect(field('Last name').getAttribute('aria-invalid')).toBe('true')
  expect(server.requestsTo(create)).toEqual([])
})

test('adding a contact sends the filled fields and opens the list', async () => {
  const server = mockServer({ ...routes, [create]: changeResponse('c-1', sunniva, 201) })
  const { router } = await renderApp('/crm/contacts/new')
  await screen.findByRole('textbox', { name: 'First name' })
  type('First name', ' Sunniva ')
  type('Last name', 'Thackerly')
  type('Email optional', 'sunniva@tidewick.example')
  fireEvent.submit(field('Last name'))
  expect(await screen.findByText('Contact created')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  await waitFor(() => expect(router.state.location.pathname).toBe('/crm/contacts'))
  const [request] = server.requestsTo(create)
  expect(request?.body).toEqual({
    id: expect.any(String),
    first_name: 'Sunniva',
    last_name: 'Thackerly',
    email: 'sunniva@tidewick.example',
  })
  expect(request?.headers.get('idempotency-key')).toBeTruthy()
})

test('a field error in the response is shown at the field', async () => {
  mockServer({ ...routes, [update]: () => problemResponse('invalid', { fields: { email: 'This address cannot receive mail' } }) })
  await renderApp(editImaraAddress)
  await waitForImara()
  type('Email optional', 'imara@nowhere.example')
  save()
  expect(await screen.findByText('This address cannot receive mail')).toBeTruthy()
  expect(document.activeElement).toBe(field('Email optional'))
})

test('when the server rejects a duplicate, a warning shows the existing contact, and the user can add the duplicate anyway', async () => {
  const matches = [{ id: imara.id, name: 'Imara Vantongeren', email: imara.email, phone: imara.phone }]
  const server = mockServer({
    ...routes,
    [create]: ({ body }) =>
      JSON.stringify(body).includes('allow_duplicate') ? changeResponse('c-1', sunniva, 201) : problemResponse('duplicate', { matches }),
  })
  const { router } = await renderApp('/crm/contacts/new')
  await screen.findByRole('textbox', { name: 'First name' })
  type('First name', 'Imara')
  type('Last name', 'Vantongeren')
  type('Email optional', 'imara@quillstone.example')
  save()
  const warning = await screen.findByRole('alert')
  expect(within(warning).getByText('This contact seems to be here already')).toBeTruthy()
  expect(within(warning).getByRole('link', { name: 'Imara Vantongeren' }).getAttribute('href')).toBe(`/crm/contacts/${imara.id}`)
  expect(within(warning).getByText('imara@quillstone.example · +44 20 7946 0118')).toBeTruthy()
  expect(document.activeElement).toBe(warning)
  fireEvent.click(within(warning).getByRole('button', { name: 'Add anyway' }))
  expect(await screen.findByText('Contact created')).toBeTruthy()
  expect(server.requestsTo(create)[1]?.body).toMatchObject({ first_name: 'Imara', allow_duplicate: true })
  await waitFor(() => expect(router.state.location.pathname).toBe('/crm/contacts'))
})

test('an edit sends only the changed fields, with the version that was loaded', async () => {
  const server = mockServer({ ...routes, [update]: changeResponse('c-1', { ...imara, title: 'Owner', version: 4 }) })
  const { router } = await renderApp(editImaraAddress)
  await waitForImara()
  type('Title optional', 'Owner')
  type('Company optional', '')
  fireEvent.keyDown(field('Title optional'), { key: 'Enter', ctrlKey: true })
  expect(await screen.findByText('Contact updated')).toBeTruthy()
  expect(server.requestsTo(update)[0]?.body).toEqual({ title: 'Owner', company: '', version: 3 })
  await waitFor(() => expect(router.state.location.pathname).toBe(`/crm/contacts/${imara.id}`))
})

test('saving without a change sends nothing', async () => {
  const server = mockServer(routes)
  const { router } = await renderApp(editImaraAddress)
  await waitForImara()
  type('Title optional', `${imara.title} `) // spaces at the end do not count as a change
  save()
  await waitFor(() => expect(router.state.location.pathname).toBe(`/crm/contacts/${imara.id}`))
  expect(server.requestsTo(update)).toEqual([])
})

test('a field with a conflict shows both values, and the user can keep the value on the server', async () => {
  const server = mockServer({ ...routes, [update]: () => problemResponse('conflict', { conflict: makePhoneConflict() }) })
  await renderApp(editImaraAddress)
  await waitForImara()
  type('Phone optional', '+44 20 7946 0181')
  type('Department optional', 'Front desk')
  save()
  const banner = await screen.findByRole('alert')
  // the title of the banner, then its text
  expect(banner.textContent).toBe(
    'Phone was changed somewhere else while you were editingEverything else you typed is safe. Choose which number to keep, then save again.',
  )
  const choice = screen.getByRole('group', { name: 'Phone' })
  const [yours, theirs] = within(choice).getAllByRole<HTMLInputElement>('radio')
  expect(yours?.checked).toBe(true)
  expect(yours?.closest('label')?.textContent).toBe('+44 20 7946 0181Yours, typed just now')
  expect(theirs?.closest('label')?.textContent).toBe('+44 20 7946 0119Saved 2 minutes ago by an import')
  expect(screen.getByText('1 choice to make')).toBeTruthy()
  expect(field('Department optional').value).toBe('Front desk')

  if (theirs) fireEvent.click(theirs)
  expect(screen.queryByText('1 choice to make')).toBeNull()
  server.setHandlers({ [update]: changeResponse('c-1', { ...imara, version: 8 }) })
  save()
  expect(await screen.findByText('Contact updated')).toBeTruthy()
  expect(server.requestsTo(update)[1]?.body).toEqual({ department: 'Front desk', version: 7 })
})

test('in a conflict, the user can keep the typed value', async () => {
  const server = mockServer({ ...routes, [update]: () => problemResponse('conflict', { conflict: makePhoneConflict() }) })
  await renderApp(editImaraAddress)
  await waitForImara()
  type('Phone optional', '+44 20 7946 0181')
  save()
  await screen.findByText('1 choice to make')
  server.setHandlers({ [update]: changeResponse('c-1', { ...imara, version: 8 }) })
  save()
  expect(await screen.findByText('Contact updated')).toBeTruthy()
  expect(server.requestsTo(update)[1]?.body).toEqual({ phone: '+44 20 7946 0181', version: 7 })
})

test('if a contact cannot be loaded, the list opens with a toast', async () => {
  mockServer({ ...routes, 'GET /api/contacts/{id}': () => problemResponse('not_found') })
  const { router } = await renderApp(editImaraAddress)
  const toast = await screen.findByRole('alert')
  // the title “Error”, then the message
  expect(toast.textContent).toBe('ErrorThere is nothing here, or it is not yours.')
  await waitFor(() => expect(router.state.location.pathname).toBe('/crm/contacts'))
})

test('a contact that was deleted during the edit can be restored and saved with the typed values', async () => {
  const restore = 'POST /api/trash/{id}/restore'
  const server = mockServer({
    ...routes,
    [update]: () => problemResponse('not_found'),
    [restore]: () => changeResponse('c-9', makeChangeSet({ count: 1 })),
  })
  await renderApp(editImaraAddress)
  await waitForImara()
  type('Title optional', 'Owner')
  save()
  expect(await screen.findByText('This contact was deleted while you were editing. Restore it and save?')).toBeTruthy()
  expect(field('Title optional').value).toBe('Owner')
  expect(server.requestsTo(restore)).toEqual([])
  server.setHandlers({ [update]: changeResponse('c-1', { ...imara, title: 'Owner', version: 5 }) })
  fireEvent.click(screen.getByRole('button', { name: 'Restore and save' }))
  expect(await screen.findByText('Contact updated')).toBeTruthy()
  expect(server.requestsTo(restore)[0]?.params).toEqual({ id: imara.id })
  expect(server.requestsTo(update)[1]?.body).toEqual({ title: 'Owner', version: 3 })
})

test('a contact that was erased during the edit cannot be saved, and the typed values stay', async () => {
  const server = mockServer({
    ...routes,
    [update]: () => problemResponse('not_found'),
    'POST /api/trash/{id}/restore': () => problemResponse('not_found'),
  })
  await renderApp(editImaraAddress)
  await waitForImara()
  type('Title optional', 'Owner')
  save()
  fireEvent.click(await screen.findByRole('button', { name: 'Restore and save' }))
  expect(await screen.findByText('This contact was erased for good while you were editing')).toBeTruthy()
  expect(field('Title optional').value).toBe('Owner')
  // someone else may have restored the contact, so a failed restore is followed by a second save; its failure shows that it is erased
  expect(server.requestsTo(update)).toHaveLength(2)
})

test('Ctrl+Enter in an open dropdown selects the highlighted option and saves once', async () => {
  const server = mockServer({ ...routes, [update]: changeResponse('c-1', { ...imara, lead_source: 'Web', version: 4 }) })
  await renderApp(editImaraAddress)
  await waitForImara()
  const source = screen.getByRole<HTMLInputElement>('combobox', { name: 'Lead source optional' })
  fireEvent.click(source)
  await screen.findByRole('option', { name: 'Web' })
  fireEvent.keyDown(source, { key: 'ArrowDown', code: 'ArrowDown' })
  fireEvent.keyDown(source, { key: 'Enter', code: 'Enter', ctrlKey: true })
  expect(await screen.findByText('Contact updated')).toBeTruthy()
  expect(server.requestsTo(update).map(({ body }) => body)).toEqual([{ lead_source: 'Web', version: 3 }])
})

test('the field "Reports to" searches contacts on the server, does not list the contact itself, and is cleared by None', async () => {
  const server = mockServer({
    ...routes,
    'GET /api/contacts/{id}': { ...imara, reports_to_id: sunniva.id, reports_to_name: 'Sunniva Thackerly' },
  })
  await renderApp(editImaraAddress)
  await waitForImara()
  const picker = screen.getByRole<HTMLInputElement>('combobox', { name: 'Reports to optional' })
  expect(picker.value).toBe('Sunniva Thackerly')
  act(() => picker.focus())
  fireEvent.change(picker, { target: { value: 'hotel' } })
  await waitFor(() => expect(server.requestsTo('GET /api/contacts').at(-1)?.query).toMatchObject({ search: 'hotel', sort: 'name' }))
  expect(await screen.findByRole('option', { name: 'Bastian Ollerquist Harrowmere Hotel' })).toBeTruthy()
  expect(screen.queryByRole('option', { name: /Imara/ })).toBeNull()
  server.setHandlers({ [update]: changeResponse('c-1', imara) })
  fireEvent.change(picker, { target: { value: '' } })
  fireEvent.click(await screen.findByRole('option', { name: 'None' }))
  save()
  expect(await screen.findByText('Contact updated')).toBeTruthy()
  expect(server.requestsTo(update)[0]?.body).toEqual({ reports_to_id: null, version: 3 })
})

test('an imported lead source is accepted and remains one of the choices', async () => {
  const server = mockServer({
    ...routes,
    'GET /api/contacts/{id}': { ...imara, lead_source: 'Trade fair' },
    [update]: changeResponse('c-1', imara),
  })
  await renderApp(editImaraAddress)
  await waitForImara()
  const source = screen.getByRole<HTMLInputElement>('combobox', { name: 'Lead source optional' })
  expect(source.value).toBe('Trade fair')
  type('Title optional', 'Owner')
  save()
  expect(await screen.findByText('Contact updated')).toBeTruthy()
  expect(server.requestsTo(update)[0]?.body).toEqual({ title: 'Owner', version: 3 })
})
