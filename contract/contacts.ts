import * as z from 'zod/mini'
import { defineRoutes, exampleIds } from './route.ts'

/** The choices of a contact's lead source, in the order of the form. */
export const leadSources = ['Web', 'Phone Inquiry', 'Partner Referral', 'Purchased List', 'Other'] as const

export const contactSorts = ['newest', 'name', 'email', 'company'] as const
export type ContactSort = (typeof contactSorts)[number]

/** Most characters that a field of a contact takes. */
const contactLimits = { name: 100, email: 254, phone: 50, line: 200, description: 20_000 } as const

/** A count is exact up to here. */
export const countLimit = 1000

/** Most contacts that one bulk call takes. */
export const bulkLimit = 1000

const line = z.string().check(z.trim(), z.maxLength(contactLimits.line, `At most ${contactLimits.line} characters`))
const phone = z.string().check(z.trim(), z.maxLength(contactLimits.phone, `At most ${contactLimits.phone} characters`))
const name = (what: string) =>
  z.string().check(z.trim(), z.minLength(1, `Enter a ${what}`), z.maxLength(contactLimits.name, `At most ${contactLimits.name} characters`))
const email = z.string().check(
  z.trim(),
  z.maxLength(contactLimits.email, `At most ${contactLimits.email} characters`),
  z.refine((text) => text === '' || z.safeParse(z.email(), text).success, 'Enter an email like name@example.com'),
)

const fields = {
  first_name: name('first name'),
  last_name: name('last name'),
  email,
  phone,
  mobile_phone: phone,
  company: line,
  title: line,
  department: line,
  mailing_street: line,
  mailing_city: line,
  mailing_state: line,
  mailing_postal_code: line,
  mailing_country: line,
  reports_to_id: z.nullable(z.uuid()),
  lead_source: z.enum(['', ...leadSources]),
  description: z.string().check(z.trim(), z.maxLength(contactLimits.description, 'At most 20,000 characters')),
}

/** What a person fills in. Empty text means not known. */
export const ContactFields = z.strictObject(fields)
export type ContactFields = z.infer<typeof ContactFields>

/** A contact of whom nothing is known yet. */
export const emptyContact: ContactFields = {
  first_name: '',
  last_name: '',
  email: '',
  phone: '',
  mobile_phone: '',
  company: '',
  title: '',
  department: '',
  mailing_street: '',
  mailing_city: '',
  mailing_state: '',
  mailing_postal_code: '',
  mailing_country: '',
  reports_to_id: null,
  lead_source: '',
  description: '',
}

const At = z.iso.datetime({ offset: true })

export const Contact = z.object({
  id: z.uuid(),
  ...fields,
  /** "First Last" of `reports_to_id`; empty without one. */
  reports_to_name: z.string(),
  lead_source: z.string(),
  external_id: z.string(),
  crm_connection_id: z.nullable(z.uuid()),
  /** What an import or a sync brought that has no field. */
  raw_data: z.nullable(z.record(z.string(), z.unknown())),
  created_at: At,
  updated_at: At,
  /** Counts every change of the row; send it with an edit. */
  version: z.int(),
})
export type Contact = z.infer<typeof Contact>

/** A contact as lists show it. `notes` is the description in one line. */
export const ContactRow = z.object({
  id: z.uuid(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone: z.string(),
  mobile_phone: z.string(),
  company: z.string(),
  title: z.string(),
  notes: z.string(),
  created_at: At,
  version: z.int(),
})
export type ContactRow = z.infer<typeof ContactRow>

const anyFields = z.partial(ContactFields)

/** A new contact: what is left out is empty. */
export const NewContact = z.extend(anyFields, {
  first_name: fields.first_name,
  last_name: fields.last_name,
  /** Version 7, made by the caller, so that a retry cannot add it twice. */
  id: z.optional(z.uuid()),
  allow_duplicate: z.optional(z.boolean()),
})
export type NewContact = z.infer<typeof NewContact>

/** Only what the person changed, and the version that the edit started from; without the version the edit wins. */
export const ContactPatch = z.extend(anyFields, { version: z.optional(z.int32().check(z.gte(1))) })
export type ContactPatch = z.infer<typeof ContactPatch>

const Search = z._default(z.string().check(z.maxLength(200)), '')
const Id = z.strictObject({ id: z.uuid() })

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org', phone: '+44 20 7946 0118', company: 'Analytical Engines' }

export const contactRoutes = defineRoutes({
  list: {
    method: 'GET',
    path: '/api/contacts',
    summary: 'Contacts by page; search finds any part of a name, email, phone or company',
    caller: 'user',
    changes: 'nothing',
    query: z.strictObject({
      search: Search,
      sort: z._default(z.enum(contactSorts), 'newest'),
      /** Only for name, email and company; newest is always newest first. */
      order: z._default(z.enum(['asc', 'desc']), 'asc'),
      after: z.optional(z.string().check(z.maxLength(2000))),
      limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(200)), 50),
    }),
    out: z.object({ rows: z.array(ContactRow), next: z.nullable(z.string()) }),
    example: { query: { search: 'ada', sort: 'name', limit: '10' } },
  },
  count: {
    method: 'GET',
    path: '/api/contacts/count',
    summary: 'How many contacts a search finds, exact to 1,000',
    caller: 'user',
    changes: 'nothing',
    query: z.strictObject({ search: Search }),
    out: z.object({ count: z.int(), more: z.boolean() }),
    example: { query: { search: 'ada' } },
  },
  get: {
    method: 'GET',
    path: '/api/contacts/{id}',
    summary: 'One contact',
    caller: 'user',
    changes: 'nothing',
    params: Id,
    out: Contact,
    example: { params: { id: exampleIds.contact } },
  },
  create: {
    method: 'POST',
    path: '/api/contacts',
    summary: 'Add a contact; one that seems to exist is answered with 409 unless allow_duplicate is set',
    caller: 'user',
    changes: 'journaled',
    body: NewContact,
    out: Contact,
    status: 201,
    repeats: { route: 'get', id: 'record' },
    errors: ['duplicate'],
    example: { body: { ...ada, email: 'grace@example.org', phone: '+44 20 7946 0243', first_name: 'Grace', last_name: 'Hopper' } },
  },
  update: {
    method: 'PATCH',
    path: '/api/contacts/{id}',
    summary: 'Change some fields of a contact',
    caller: 'user',
    changes: 'journaled',
    params: Id,
    body: ContactPatch,
    out: Contact,
    repeats: { route: 'get', id: 'params' },
    errors: ['conflict'],
    example: { params: { id: exampleIds.contact }, body: { title: 'Countess', reports_to_id: exampleIds.colleague } },
  },
  delete: {
    method: 'DELETE',
    path: '/api/contacts/{id}',
    summary: 'Delete a contact; it stays in the trash for 30 days',
    caller: 'user',
    changes: 'journaled',
    params: Id,
    example: { params: { id: exampleIds.contact } },
  },
  bulk: {
    method: 'POST',
    path: '/api/contacts/bulk',
    summary: 'Delete several contacts in one change',
    caller: 'user',
    changes: 'journaled',
    body: z.strictObject({ action: z.literal('delete'), ids: z.array(z.uuid()).check(z.minLength(1), z.maxLength(bulkLimit)) }),
    example: { body: { action: 'delete', ids: [exampleIds.contact, exampleIds.colleague] } },
  },
})
