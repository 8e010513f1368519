import * as z from 'zod/mini'
import { ContactFields } from './contacts.ts'
import { exampleId } from './examples.ts'
import { isInvisible, singleLineText } from './fields.ts'
import { defineRoutes } from './route.ts'

/** A lead: a full name, an email or a phone number, and any other field of a contact. */
export const Lead = z
  .strictObject({
    /** The full name, which is split into first and last name. */
    name: z.optional(singleLineText(200)),
    ...z.partial(ContactFields).shape,
    first_name: z.optional(singleLineText(100)),
    last_name: z.optional(singleLineText(100)),
  })
  .check(
    z.refine(
      (lead) => {
        const texts = [lead.name, lead.first_name, lead.last_name, lead.email, lead.phone, lead.mobile_phone]
        return texts.some((text) => text && !isInvisible(text))
      },
      { error: 'Send a name, an email or a phone number', path: ['name'] },
    ),
  )
export type Lead = z.output<typeof Lead>

/** The response to a lead, the same for new and for existing contacts, and the response of `find`. `success` is always true. */
const LeadStored = z.object({ success: z.boolean(), contact_id: z.uuid() })

export const leadRoutes = defineRoutes({
  send: {
    method: 'POST',
    path: '/functions/v1/leads',
    summary: 'Send a lead. Its contact is found by email or phone number, or created; an existing contact gets only what it lacks',
    caller: 'user',
    scope: 'leads',
    changes: 'journaled',
    body: Lead,
    out: LeadStored,
    responseIfRepeated: { fromRoute: 'find', idFrom: 'record' },
    example: { body: { name: 'Jane Doe', email: 'jane@example.com', phone: '+1 555 0100' } },
  },
  /** Responds to a repeated `send`. Throws `not_found` if the contact no longer exists. */
  find: {
    method: 'GET',
    path: '/functions/v1/leads/{id}',
    summary: 'Whether the contact of a lead still exists',
    caller: 'user',
    scope: 'leads',
    changes: 'nothing',
    params: z.strictObject({ id: z.uuid() }),
    out: LeadStored,
    example: { params: { id: exampleId('contact') } },
  },
})
