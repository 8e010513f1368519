// Pairs of contacts that are likely the same person. The user merges the two into one contact, or says that they are different persons.
import * as z from 'zod/mini'
import { Contact } from './contacts.ts'
import { exampleId } from './examples.ts'
import { Instant } from './fields.ts'
import { Version } from './records.ts'
import { defineRoutes } from './route.ts'

/** The maximum number of pairs in a response. More pairs are found after these are merged or dismissed. */
export const maxPairs = 200

/** How two contacts agree or differ, in the order in which the reasons of a pair are listed. */
const reasonCodes = [
  'same_email',
  'same_email_alias',
  'similar_email',
  'same_email_name',
  'same_phone',
  'same_company',
  'same_email_domain',
  'same_address',
  'same_name',
  'same_name_without_marks',
  'swapped_names',
  'similar_name',
  'initial',
  'short_first_name',
  'longer_name',
  'name_missing',
  'different_names',
] as const
export type ReasonCode = (typeof reasonCodes)[number]

/** A contact of a pair, as the list of pairs shows it. */
export const PairedContact = z.pick(Contact, {
  id: true,
  first_name: true,
  last_name: true,
  email: true,
  phone: true,
  mobile_phone: true,
  company: true,
  created_at: true,
  version: true,
})

const Pair = z.object({
  /** The contact that a merge keeps by default. */
  contact: PairedContact,
  other: PairedContact,
  certainty: z.enum(['certain', 'likely']),
  reasons: z.array(z.enum(reasonCodes)),
  /** The reasons as a sentence, such as "Same phone, one letter apart". */
  why: z.string(),
})
export type Pair = z.infer<typeof Pair>

/**
 * The fields of which a merge keeps one of two values. `company` stands for the name and the link of the company. The tags of both contacts
 * are kept.
 */
export const mergedFields = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'mobile_phone',
  'company',
  'title',
  'department',
  'mailing_street',
  'mailing_city',
  'mailing_state',
  'mailing_postal_code',
  'mailing_country',
  'reports_to_id',
  'lead_source',
  'description',
] as const
export type MergedField = (typeof mergedFields)[number]

/** Records of one kind that refer to the other contact: their number, and the titles of the newest. */
const MovedRecords = z.object({ singular: z.string(), plural: z.string(), count: z.int(), titles: z.array(z.string()) })
export type MovedRecords = z.infer<typeof MovedRecords>

const Comparison = z.object({ contact: Contact, other: Contact, moves: z.array(MovedRecords) })
export type Comparison = z.infer<typeof Comparison>

/** The maximum number of merges in a response. */
export const maxRecentMerges = 20

/**
 * A merge that can be taken back by the undo of `change`. `name` is the name of the merged contact; `exists` is false if it was deleted.
 */
const RecentMerge = z.object({
  change: z.uuid(),
  at: Instant,
  contact: z.object({ id: z.uuid(), name: z.string(), exists: z.boolean() }),
  /** The name of the contact that was merged into it. */
  other_name: z.string(),
})
export type RecentMerge = z.infer<typeof RecentMerge>

const Id = z.strictObject({ id: z.uuid() })
const otherId = z.uuid()
const example = { params: { id: exampleId('contact') }, query: { other_id: exampleId('colleague') } }
const body = { other_id: exampleId('colleague') }

export const duplicateRoutes = defineRoutes({
  duplicates: {
    method: 'GET',
    path: '/api/contacts/duplicates',
    summary: `Pairs of contacts that are likely the same person, with the reasons, the most certain first; at most ${maxPairs}`,
    caller: 'user',
    changes: 'nothing',
    out: z.object({ rows: z.array(Pair), more: z.boolean() }),
    maxRequestsIn15Minutes: { perIdentity: 120 },
    errors: ['too_many_requests'],
    example: {},
  },
  recentMerges: {
    method: 'GET',
    path: '/api/contacts/merges',
    summary: `The merges of the last 30 days that were not undone, newest first; at most ${maxRecentMerges}`,
    caller: 'user',
    changes: 'nothing',
    out: z.object({ rows: z.array(RecentMerge) }),
    example: {},
  },
  compare: {
    method: 'GET',
    path: '/api/contacts/{id}/merge',
    summary: 'Two contacts, and the records that a merge would move from the other contact to this one',
    caller: 'user',
    changes: 'nothing',
    params: Id,
    query: z.strictObject({ other_id: otherId }),
    out: Comparison,
    example,
  },
  merge: {
    method: 'POST',
    path: '/api/contacts/{id}/merge',
    summary:
      'Merge another contact into this one: moves everything that refers to the other contact, and deletes it. The undo of this change takes both apart again',
    caller: 'user',
    changes: 'journaled',
    params: Id,
    body: z.strictObject({
      other_id: otherId,
      /** The contact whose value is kept, by field. Without a choice the value of this contact is kept, unless it is empty. */
      fields: z._default(z.partialRecord(z.enum(mergedFields), z.enum(['this', 'other'])), {}),
      version: Version,
      other_version: Version,
    }),
    errors: ['conflict', 'invalid'],
    example: { params: example.params, body: { ...body, fields: { email: 'this', title: 'other' } } },
  },
  dismissPair: {
    method: 'POST',
    path: '/api/contacts/{id}/not-duplicate',
    summary: 'Say that another contact is not the same person, so that the pair is not listed again',
    caller: 'user',
    changes: 'journaled',
    params: Id,
    body: z.strictObject({ other_id: otherId }),
    example: { params: example.params, body },
  },
})
