// Leads: the function with which other programs, such as a form on a website, send contacts.
import { leadRoutes, type Lead } from '#contract/leads.ts'
import { storeContacts, type ContactToStore } from '#server/contacts/contacts.ts'
import { splitFullName } from '#server/imports/imports.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { mount } from '#server/platform/http/mount.ts'
import { Refusal } from '#server/platform/refusal.ts'

export const leadFeature: Feature = {
  mount: (router, context) =>
    mount(router, leadRoutes, {
      send: async ({ caller, body }) => ({ success: true, contact_id: await storeLead(context, caller, body) }),
      find: async ({ caller, params }) => {
        const found = await context.database.read(caller, () =>
          sql('select from crm_contacts where user_id = $1 and id = $2', [caller.owner, params.id]),
        )
        if (found.length === 0) throw new Refusal('not_found')
        return { success: true, contact_id: params.id }
      },
    }),
}

/** Finds or creates the contact of a lead. Returns its id. Throws `invalid` with a sentence for each invalid field. */
async function storeLead({ database }: Pick<AppContext, 'database'>, caller: Caller, lead: Lead): Promise<string> {
  const contact = toContact(lead)
  const [result] = await database.transaction(caller, 'Received lead', () => storeContacts(caller.owner, [contact], 'fill'))
  if (result && 'id' in result) return result.id
  throw new Refusal('invalid', result?.status === 'refused' ? { fields: { ...result.fields } } : {})
}

function toContact({ name = '', ...fields }: Lead): ContactToStore {
  const split = splitFullName(name)
  return { ...fields, first_name: fields.first_name || split.first_name, last_name: fields.last_name || split.last_name }
}
