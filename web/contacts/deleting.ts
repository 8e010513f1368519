import { contactRoutes } from '#contract/contacts.ts'
import { callForChange } from '#web/lib/client.ts'
import { useDeleteRecords } from '#web/records/useDeleteRecords.ts'
import { contactKeys, contactsTable } from './queries.ts'

const { pages, counts } = contactKeys

export const useDeleteContacts = () => useDeleteRecords({ noun: 'contact', table: contactsTable, pages, counts, remove: deleteContacts })

function deleteContacts(ids: readonly string[]): Promise<{ change: string | undefined }> {
  const [id = ''] = ids
  if (ids.length === 1) return callForChange(contactRoutes.delete, { params: { id } })
  return callForChange(contactRoutes.bulk, { body: { action: 'delete', ids: [...ids] } })
}
