// A contact has the name of its company as text, with or without a link to a company record. These routes add a company record for such a
// name, and link the contacts that have the name. A user can refuse a name as a company; the contact page then no longer offers to add it.
import * as z from 'zod/mini'
import { exampleId } from './examples.ts'
import type { Condition } from './lists.ts'
import { defineRoutes } from './route.ts'

const Id = z.strictObject({ id: z.uuid() })

/** The maximum number of contacts that one request links to a company. */
export const maxLinkedContacts = 10_000

/** Returns the filter of the contacts that have the name of a company as text, without a link. */
export const unlinkedContactsFilter = (name: string): Condition[] => [
  { field: 'company', is: [name] },
  { field: 'company_id', empty: true },
]

export const companyNameRoutes = defineRoutes({
  companyOfContact: {
    method: 'GET',
    path: '/api/contacts/{id}/company',
    summary:
      'The company that a contact names as text: how many company records have this name, up to 2, and whether the user refused the name as a company',
    caller: 'user',
    changes: 'nothing',
    params: Id,
    out: z.object({ name: z.string(), is_linked: z.boolean(), companies: z.int(), is_refused: z.boolean() }),
    example: { params: { id: exampleId('colleague') } },
  },
  addCompanyOfContact: {
    method: 'POST',
    path: '/api/contacts/{id}/company',
    summary: 'Add the company that a contact names as text, and link the contact to it',
    caller: 'user',
    changes: 'journaled',
    params: Id,
    errors: ['invalid'],
    example: { params: { id: exampleId('colleague') } },
  },
  refuseCompanyOfContact: {
    method: 'POST',
    path: '/api/contacts/{id}/company/refuse',
    summary: 'Refuse the company that a contact names as text, so that it is not offered again',
    caller: 'user',
    changes: { noUndo: 'An undo is not needed, because the name can still be added as a company.' },
    params: Id,
    example: { params: { id: exampleId('colleague') } },
  },
  linkContacts: {
    method: 'POST',
    path: '/api/companies/{id}/contacts',
    summary: 'Link contacts to the company if they have its name only as text: at most the newest 10,000, as one change',
    caller: 'user',
    changes: 'journaled',
    params: Id,
    example: { params: { id: exampleId('company') } },
  },
})
