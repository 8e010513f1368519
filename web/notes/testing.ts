import { emptyContact } from '#contract/contacts.ts'
import type { Note } from '#contract/notes.ts'
import { nora, renderApp } from '#web/testing.ts'

const makeId = (number: number): string => `01930000-0000-7000-8000-${String(number).padStart(12, '0')}`
const systemFields = { created_at: '2026-11-01T09:00:00.000Z', updated_at: '2026-11-01T09:00:00.000Z', version: 1 }
export const imara = {
  ...emptyContact,
  ...systemFields,
  id: makeId(1),
  first_name: 'Imara',
  last_name: 'Vantongeren',
  reports_to_name: '',
  external_id: '',
  crm_connection_id: null,
  raw_data: null,
}
export const makeNote = (number: number, content: string): Note => ({ ...systemFields, id: makeId(number), contact_id: imara.id, content })
/** The newer of two notes. */
export const oak = makeNote(12, 'Wants the oak sample')
export const survey = makeNote(11, 'Survey done.\nThe wall is not straight.')
/** Creates the response with these notes as the only page. */
export const makeList = (...rows: Note[]) => ({ rows, next: null, count: rows.length })
const zeroCount = { count: 0, more: false }
export const routes = {
  'GET /api/session': nora,
  'GET /api/contacts/{id}': imara,
  'GET /api/deals/count': zeroCount,
  'GET /api/tasks/count': zeroCount,
  'GET /api/files/count': zeroCount,
  'GET /api/changes': { rows: [], next: null },
  'GET /api/notes': makeList(oak, survey),
}

/** Opens the notes of the contact. */
export const openContact = () => renderApp(`/crm/contacts/${imara.id}?tab=notes`)
