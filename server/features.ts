import { mountAccounts } from '#server/accounts/routes.ts'
import type { Sessions } from '#server/accounts/sessions.ts'
import { contactTitle } from '#server/contacts/contacts.ts'
import { mountContacts } from '#server/contacts/routes.ts'
import { mountChanges } from '#server/changes/routes.ts'
import { mountEvents } from '#server/events/routes.ts'
import type { House, RecordKind } from '#server/platform/feature.ts'
import type { Door } from '#server/platform/http/mount.ts'

/** How deleted records are named in the trash: one line for each table that a person deletes from. */
const records: RecordKind[] = [{ table: 'crm_contacts', title: contactTitle }]

/** Opens the rooms, in the order in which they may know each other. */
export function mountFeatures(door: Door, house: House, sessions: Sessions): void {
  mountAccounts(door, house, sessions)
  mountContacts(door, house)
  mountChanges(door, house, records)
  mountEvents(door, house)
}
