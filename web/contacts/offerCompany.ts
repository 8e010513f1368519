import { companyNameRoutes } from '#contract/companyNames.ts'
import { recordKinds } from '#contract/kinds.ts'
import { call, callForChange } from '#web/lib/client.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { toast, toastError } from '#web/lib/toasts.ts'
import { toastChange } from '#web/lib/undo.ts'

const tables = [recordKinds.company.table, recordKinds.contact.table]

/**
 * Called after a contact was saved with the name of a company. If no company has this name, a toast offers to add one, unless the user has
 * refused this name before. If several companies have the name, a toast asks the user to choose one.
 */
export async function offerCompany(contactId: string): Promise<void> {
  const params = { id: contactId }
  // a failure of this request is ignored, because the contact is already saved
  const company = await call(companyNameRoutes.companyOfContact, { params }).catch(() => undefined)
  if (!company || company.name === '' || company.is_linked) return
  const { name, companies, is_refused } = company
  if (companies > 1)
    return toast({ kind: 'info', title: 'Several companies have this name', message: `Choose the right “${name}” in the contact.` })
  if (companies > 0 || is_refused) return
  toast({
    kind: 'info',
    title: 'Add as a company?',
    message: name,
    action: { label: 'Add company', run: () => void addCompany(contactId) },
    onClose: () => void refuseCompany(contactId),
  })
}

async function addCompany(contactId: string): Promise<void> {
  try {
    const { changeId } = await callForChange(companyNameRoutes.addCompanyOfContact, { params: { id: contactId } })
    toastChange('Company created', changeId)
    await refreshTables(tables)
  } catch (error) {
    toastError(error, 'Error creating company')
  }
}

async function refuseCompany(contactId: string): Promise<void> {
  try {
    await call(companyNameRoutes.refuseCompanyOfContact, { params: { id: contactId } })
  } catch (error) {
    toastError(error)
  }
}
