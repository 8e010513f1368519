import type { ContactFields } from '#contract/contacts.ts'
import type { CrmClient } from './client.ts'

/** The fields of a contact that can come from another CRM. */
type SyncedFields = Partial<Omit<ContactFields, 'company_id' | 'reports_to_id' | 'lead_source' | 'tags'>>

/**
 * A contact of another CRM. `fields` has no empty values. `details`: the values, by their labels, for which Foyer has no
 * field, or which do not fit into their field.
 */
export type RemoteContact = { id: string; fields: SyncedFields; tags: string[]; details: Record<string, string> }

/** A page of contacts. A row is undefined if it is not a contact. `isLast`: the CRM has no more rows. */
export type ContactPage = { rows: (RemoteContact | undefined)[]; isLast: boolean }

/** How to speak with one kind of CRM. All functions throw `CrmFailure`. */
export type Connector = {
  /** The domain of the hosts of the CRM, to which a redirect may lead. */
  domain: string
  authorize: (key: string) => string
  /** Makes one cheap request that shows whether address and key are right. */
  check: (client: CrmClient) => Promise<void>
  /** Returns the names of all companies by their ids. */
  readCompanyNames: (client: CrmClient) => Promise<ReadonlyMap<string, string>>
  /** Reads the contacts from the row `skip`. `changedSince`: only those that were added or changed after this time. */
  readContacts: (
    client: CrmClient,
    options: { skip: number; changedSince: Date | undefined; companyNames: ReadonlyMap<string, string> },
  ) => Promise<ContactPage>
}
