import * as z from 'zod/mini'
import type { Filters } from './lists.ts'
import { exampleId } from './examples.ts'
import { recordKinds } from './kinds.ts'
import { removeInputChecks, emailOrEmpty, phoneOrEmpty, singleLineText, multilineText, requiredText, Tags } from './fields.ts'
import { systemFields, NewRecordId, recordRoutes, tagRoutes, Version, selection, hasExactlyOneSelection } from './records.ts'
import { defineRoutes } from './route.ts'

/** The choices of a contact's lead source, in the order of the form. */
export const leadSources = ['Web', 'Phone Inquiry', 'Partner Referral', 'Purchased List', 'Other'] as const

/**
 * The key in `raw_data` under which the last sync stored the values of the other CRM. The next sync compares the new values with these, and
 * writes only those that have changed in the other CRM. Screens do not show the stored values.
 */
export const syncedValuesKey = 'synced'

/** The key in `raw_data` of the list of contacts that were merged into this one, with the values that were not kept. */
export const mergedContactsKey = 'merged_contacts'

/** The label of a merge in the history. A merge writes the values that were not kept to `raw_data` of the contact that stays. */
export const mergeLabel = 'Merged 2 contacts'

/**
 * The columns of an export, in their order. `reports_to` is a name, `notes` is the newest note, `raw_data` is the additional data as JSON.
 */
export const contactColumns = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'mobile_phone',
  'company',
  'title',
  'department',
  'reports_to',
  'mailing_street',
  'mailing_city',
  'mailing_state',
  'mailing_postal_code',
  'mailing_country',
  'lead_source',
  'tags',
  'description',
  'notes',
  'created_at',
  'raw_data',
] as const

const contactSorts = ['newest', 'name', 'email', 'company'] as const

export const contactFilters = {
  email: 'text',
  phone: 'text',
  company: 'text',
  title: 'text',
  department: 'text',
  mailing_city: 'text',
  mailing_state: 'text',
  mailing_country: 'text',
  lead_source: 'choice',
  company_id: 'link',
  reports_to_id: 'link',
  tags: 'tags',
  created_at: 'instant',
} as const satisfies Filters

const fields = {
  first_name: requiredText('first name', 100),
  last_name: requiredText('last name', 100),
  email: emailOrEmpty,
  phone: phoneOrEmpty,
  mobile_phone: phoneOrEmpty,
  company: singleLineText(200),
  /**
   * The id of the company record, if there is one; `company` is then its name. A name without an id is linked to the company that has this
   * name, without regard to case and accents, unless several companies have it.
   */
  company_id: z.nullable(z.uuid()),
  title: singleLineText(200),
  department: singleLineText(200),
  mailing_street: singleLineText(200),
  mailing_city: singleLineText(200),
  mailing_state: singleLineText(200),
  mailing_postal_code: singleLineText(200),
  mailing_country: singleLineText(200),
  reports_to_id: z.nullable(z.uuid()),
  lead_source: z.enum(['', ...leadSources]),
  description: multilineText,
  tags: Tags,
}

/** The fields of the form. Empty text means unknown. */
export const ContactFields = z.strictObject(fields)
export type ContactFields = z.output<typeof ContactFields>

export const emptyContact: ContactFields = {
  first_name: '',
  last_name: '',
  email: '',
  phone: '',
  mobile_phone: '',
  company: '',
  company_id: null,
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
  tags: [],
}

export const Contact = z.object({
  ...systemFields,
  ...removeInputChecks(fields),
  /** The full name of the contact `reports_to_id`; empty if `reports_to_id` is null. */
  reports_to_name: z.string(),
  /** Imported contacts may have other values than `leadSources`. */
  lead_source: z.string(),
  /** The id of the contact in the other CRM from which it was synced; otherwise a random id. */
  external_id: z.string(),
  /** The connection to the other CRM. */
  crm_connection_id: z.nullable(z.uuid()),
  /** Imported or synced values without a field of their own, and `syncedValuesKey`. */
  raw_data: z.nullable(z.record(z.string(), z.unknown())),
})
export type Contact = z.infer<typeof Contact>

/** A contact in a list. `notes` is the newest note, or the description if there is none, in one line. */
export const ContactRow = z.extend(
  z.pick(Contact, {
    id: true,
    first_name: true,
    last_name: true,
    email: true,
    phone: true,
    mobile_phone: true,
    company: true,
    company_id: true,
    title: true,
    mailing_city: true,
    mailing_country: true,
    lead_source: true,
    tags: true,
    created_at: true,
    version: true,
  }),
  { notes: z.string() },
)
export type ContactRow = z.infer<typeof ContactRow>

const optionalFields = z.partial(ContactFields)

/** A new contact. Omitted fields are empty. */
const NewContact = z.extend(optionalFields, {
  first_name: fields.first_name,
  last_name: fields.last_name,
  id: NewRecordId,
  /** True: add the contact even if a duplicate exists. */
  allow_duplicate: z.optional(z.boolean()),
})

/** The changed fields, and the version that the edit started from; without the version the edit overwrites newer changes. */
const ContactPatch = z.extend(optionalFields, { version: Version })

const path = '/api/contacts'

export const contactRoutes = {
  ...recordRoutes({
    kind: recordKinds.contact,
    FullRecord: Contact,
    Row: ContactRow,
    New: NewContact,
    Patch: ContactPatch,
    BulkPatch: z.pick(optionalFields, {
      company: true,
      company_id: true,
      title: true,
      department: true,
      mailing_city: true,
      mailing_state: true,
      mailing_country: true,
      lead_source: true,
      reports_to_id: true,
    }),
    sorts: contactSorts,
    filters: contactFilters,
    columns: contactColumns,
    createErrors: ['duplicate'],
    example: {
      query: { search: 'ada', sort: 'name', limit: '10', filter: '[{"field":"mailing_city","empty":true}]' },
      new: {
        first_name: 'Grace',
        last_name: 'Hopper',
        email: 'grace@example.org',
        phone: '+44 20 7946 0243',
        company: 'Analytical Engines',
        company_id: exampleId('company'),
        tags: ['Navy'],
      },
      patch: { title: 'Countess', reports_to_id: exampleId('colleague') },
      bulkPatch: { lead_source: 'Web', mailing_city: 'London' },
    },
  }),
  ...tagRoutes(recordKinds.contact, contactFilters),
  ...defineRoutes({
    exportCards: {
      method: 'POST',
      path: `${path}/export-cards`,
      summary: 'Export contacts as vCards, for address books',
      caller: 'user',
      changes: 'nothing',
      body: z.strictObject(selection(contactFilters)).check(hasExactlyOneSelection),
      file: 'text/vcard',
      errors: ['too_many_requests'],
      example: { body: { ids: [exampleId('contact')] } },
    },
  }),
}
