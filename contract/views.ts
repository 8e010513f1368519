import * as z from 'zod/mini'
import { exampleId } from './examples.ts'
import { recordKinds } from './kinds.ts'
import { requiredText } from './fields.ts'
import { systemFields } from './records.ts'
import { defineRoutes } from './route.ts'

/** The lists whose views can be saved. Notes have no list of their own, and the list of conversations has no filters. */
const viewedLists = Object.values(recordKinds).flatMap(({ plural }) => (plural === 'notes' || plural === 'conversations' ? [] : [plural]))
export type ViewedList = (typeof viewedLists)[number]

const fields = {
  list: z.enum(viewedLists),
  name: requiredText('name', 100),
  /** The query string of the list's URL, which contains the search, filters, sort and columns. */
  address: z.string().check(z.maxLength(16_000, 'This view is too long to be saved. Take some filters off.')),
}

/** A saved search, filters, sort and columns of a list, with a name. */
export const View = z.object({ ...systemFields, ...fields })
export type View = z.infer<typeof View>

const Id = z.strictObject({ id: z.uuid() })
/** An owner with this number of views cannot save another. */
export const maxViews = 200
/** The length limit of the list, which is larger because an undo can restore views beyond `maxViews`. */
export const maxListedViews = 2 * maxViews

export const viewRoutes = defineRoutes({
  list: {
    method: 'GET',
    path: '/api/views',
    summary: 'The saved views of all lists, by name',
    caller: 'user',
    changes: 'nothing',
    out: z.object({ rows: z.array(View).check(z.maxLength(maxListedViews)) }),
    example: {},
  },
  get: {
    method: 'GET',
    path: '/api/views/{id}',
    summary: 'One saved view',
    caller: 'user',
    changes: 'nothing',
    params: Id,
    out: View,
    example: { params: { id: exampleId('view') } },
  },
  create: {
    method: 'POST',
    path: '/api/views',
    summary: 'Save a view; replaces the view of the same list with the same name',
    caller: 'user',
    changes: 'journaled',
    body: z.strictObject(fields),
    out: View,
    status: 201,
    responseIfRepeated: { fromRoute: 'get', idFrom: 'record' },
    errors: ['too_many'],
    example: { body: { list: 'contacts', name: 'Londoners', address: 'filter=%5B%5D' } },
  },
  update: {
    method: 'PATCH',
    path: '/api/views/{id}',
    summary: 'Rename a saved view or change its query',
    caller: 'user',
    changes: 'journaled',
    params: Id,
    body: z.partial(z.strictObject({ name: fields.name, address: fields.address })),
    out: View,
    responseIfRepeated: { fromRoute: 'get' },
    example: { params: { id: exampleId('view') }, body: { name: 'Deals by value' } },
  },
  delete: {
    method: 'DELETE',
    path: '/api/views/{id}',
    summary: 'Delete a saved view',
    caller: 'user',
    changes: 'journaled',
    params: Id,
    example: { params: { id: exampleId('view') } },
  },
})
