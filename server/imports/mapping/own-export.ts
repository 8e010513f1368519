// Recognises a file that Foyer has exported: the export of the list of contacts, or the contacts of the download of everything.
import { contactColumns } from '#contract/contacts.ts'
import type { ImportedKind } from './column-mapping.ts'

/** The columns of an exported contact that are no values of the person. An imported contact gets its own. */
const ownColumns: ReadonlySet<string> = new Set([
  'id',
  'created_at',
  'updated_at',
  'version',
  'external_id',
  'crm_connection_id',
  'reports_to_id',
  'reports_to_name',
  'company_id',
  'company_name',
  'phone_key',
  'mobile_phone_key',
])

/**
 * Returns a predicate for the columns that are left out. Files of other programs may have columns of the same names, which are kept as
 * additional data, so all columns of an export must be there.
 */
export function findOwnColumns(kind: ImportedKind, headers: readonly (string | null)[]): (header: string | null | undefined) => boolean {
  const names = new Set(headers)
  if (kind !== 'contact' || !contactColumns.every((name) => names.has(name))) return () => false
  return (header) => typeof header === 'string' && ownColumns.has(header)
}
