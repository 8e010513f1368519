import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { linkName } from '#web/records/links/linkedRecords.tsx'
import { BackToContacts } from './BackToContacts.tsx'
import { ContactForm } from './ContactForm.tsx'
import { FormSkeleton } from './FormSkeleton.tsx'
import { fieldsOfTyped } from './newContact.ts'

const route = getRouteApi('/signed-in/crm/contacts/new')

/** The form for a new contact; what the address says of it stands there already. */
export function NewContactPage() {
  const { name, company = '' } = route.useSearch()
  const navigate = useNavigate()
  const linked = useQuery({ ...linkName('company', company), enabled: company !== '' })
  if (company !== '' && linked.isPending) return <FormSkeleton title="Add contact" />
  return (
    <ContactForm
      title="Add contact"
      breadcrumb={[<BackToContacts key="back" />]}
      prefilled={{ ...fieldsOfTyped(name), ...(linked.data && { company: linked.data.name, company_id: company }) }}
      onSaved={() => void navigate({ to: '/crm/contacts' })}
    />
  )
}
