import { fireEvent, screen } from '@testing-library/react'
import { vi } from 'vitest'
import { ContactRow, emptyContact, type Contact } from '#contract/contacts.ts'
import { nora } from '#web/testing.ts'

const makeId = (number: number): string => `01930000-0000-7000-8000-${String(number).padStart(12, '0')}`

/** The contact of most tests. */
export const imara: Contact = {
  ...emptyContact,
  id: makeId(1),
  first_name: 'Imara',
  last_name: 'Vantongeren',
  email: 'imara@quillstone.example',
  phone: '+44 20 7946 0118',
  company: 'Quillstone Dental',
  title: 'Practice manager',
  reports_to_name: '',
  external_id: 'x-1',
  crm_connection_id: null,
  raw_data: null,
  created_at: '2026-11-01T09:00:00.000Z',
  updated_at: '2026-11-01T09:00:00.000Z',
  version: 3,
}

/** Another contact, without a phone number and a title. */
export const bastian: Contact = {
  ...imara,
  id: makeId(2),
  first_name: 'Bastian',
  last_name: 'Ollerquist',
  email: 'bastian@harrowmere.example',
  phone: '',
  company: 'Harrowmere Hotel',
  title: '',
}

/** A third contact. */
export const sunniva: Contact = {
  ...imara,
  id: makeId(3),
  first_name: 'Sunniva',
  last_name: 'Thackerly',
  email: 'sunniva@tidewick.example',
}

/** Converts a contact without notes to a row of the list: the column `notes` then shows the description. */
export const toRow = (contact: Contact): ContactRow => ContactRow.parse({ ...contact, notes: contact.description })

/** Creates contacts with the names "Person 1", "Person 2" and so on. */
export const makeNumberedContacts = (from: number, to: number): ContactRow[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    ...toRow(imara),
    id: makeId(from + index),
    first_name: 'Person',
    last_name: String(from + index),
  }))

/** Creates the response with these contacts as the only page of the list. */
export const makePage = (contacts: Contact[]): { rows: ContactRow[]; next: string | null } => ({ rows: contacts.map(toRow), next: null })

/** The handlers for the form of a contact. The list has two contacts, Imara and Bastian, and the server returns Imara for every id. */
export const formRoutes = {
  'GET /api/session': nora,
  'GET /api/contacts': makePage([imara, bastian]),
  'GET /api/contacts/count': { count: 2, more: false },
  'GET /api/contacts/{id}': imara,
  'GET /api/changes': { rows: [], next: null },
}

/** The address of the form that edits Imara. */
export const editImaraAddress = `/crm/contacts/edit/${imara.id}`

/** Returns the input with this label. The label of an optional field ends with “optional”: "Title optional". */
export const field = (name: string): HTMLInputElement => screen.getByLabelText<HTMLInputElement>(name, { selector: 'input, textarea' })
/** Replaces the text of the input with this label. */
export const type = (name: string, value: string): void => void fireEvent.change(field(name), { target: { value } })
export const save = (): void => void fireEvent.click(screen.getByRole('button', { name: 'Save contact' }))
/** Waits until the form of Imara is loaded. */
export const waitForImara = async (): Promise<void> => void (await screen.findByDisplayValue('Imara'))

/** Gives every element a size. In happy-dom elements have no size, and the virtual table renders only rows within its height. */
export function setElementSize(): void {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1200)
}

/** Creates a change set that has changed `count` contacts, as the server returns it. */
export const makeChangeSet = ({ count }: { count: number }) => ({
  id: '01930000-0000-7000-8000-0000000000e1',
  at: imara.created_at,
  actor: '',
  actor_name: null,
  label: '',
  count,
  undone: false,
  redo_id: null,
  progress: null,
  skipped_counts: {},
  skipped: [],
})

/** The handlers of a list with more than 1,000 contacts, whose first page has 60. */
export const sixtyOfManyContacts = {
  'GET /api/contacts': { rows: makeNumberedContacts(1, 60), next: 'after-60' },
  'GET /api/contacts/count': { count: 1000, more: true },
  'GET /api/views': { rows: [] },
}
