// Contacts: the people with whom a business is in contact.
import { companyNameRoutes } from '#contract/companyNames.ts'
import { contactRoutes, type Contact, type ContactRow } from '#contract/contacts.ts'
import { duplicateRoutes } from '#contract/duplicates.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { mount } from '#server/platform/http/mount.ts'
import { createRecordHandlers, createTagHandlers } from '#server/platform/records/handlers.ts'
import { vcardsOf } from './cards.ts'
import { addCompanyOfContact, linkContacts, readCompanyOfContact, refuseCompanyOfContact } from './company-names.ts'
import { contacts } from './kind.ts'
import { readRecentMerges } from './merge/merge.store.ts'
import { compareContacts, dismissPair, mergeContacts } from './merge/merge.ts'
import { findPairs } from './pairs/pairs.ts'
import { createPhoneKeyJobHandler } from './phone-keys.job.ts'

/** For the features that add contacts from files and other sources. */
export { planContacts, storeContacts, type ContactToStore, type StoreResult } from './store-contacts.ts'

export const contactFeature: Feature = {
  kinds: [contacts],
  mount: (router, context) => {
    mount(router, contactRoutes, {
      ...createRecordHandlers<Contact, ContactRow>(contacts, context),
      ...createTagHandlers(contacts, context),
      exportCards: async ({ caller, body }) => ({
        name: 'contacts.vcf',
        chunks: vcardsOf(context.database, caller, { ...body, now: context.now() }),
      }),
    })
    mount(router, companyNameRoutes, {
      companyOfContact: ({ caller, params }) => context.database.read(caller, () => readCompanyOfContact(caller, params.id)),
      addCompanyOfContact: ({ caller, params }) => addCompanyOfContact(context, caller, params.id),
      refuseCompanyOfContact: ({ caller, params }) => refuseCompanyOfContact(context, caller, params.id),
      linkContacts: ({ caller, params }) => linkContacts(context, caller, params.id),
    })
    mount(router, duplicateRoutes, {
      duplicates: ({ caller }) => findPairs(context.database, caller),
      recentMerges: async ({ caller }) => ({ rows: await context.database.read(caller, () => readRecentMerges(caller.owner)) }),
      compare: ({ caller, params, query }) => compareContacts(context, caller, params.id, query.other_id),
      merge: ({ caller, params, body }) => mergeContacts(context, caller, params.id, body),
      dismissPair: ({ caller, params, body }) => dismissPair(context, caller, params.id, body.other_id),
    })
  },
  takeoutTables: [{ table: 'distinct_contacts', name: 'distinct_contacts' }],
  jobs: (_context, tableOwner) => [createPhoneKeyJobHandler(tableOwner)],
  webScreens: [{ path: '/crm/contacts', module: 'web/contacts/ContactsPage.tsx' }],
}
