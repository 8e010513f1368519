import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Contact } from '#contract/contacts.ts'
import { toastError } from '#web/lib/toasts.ts'
import { BackToContacts } from './BackToContacts.tsx'
import { ContactForm } from './ContactForm.tsx'
import { FormSkeleton } from './FormSkeleton.tsx'
import { fullName } from './links.ts'
import { contactQuery } from './queries.ts'

const route = getRouteApi('/signed-in/crm/contacts/edit/$id')

export function EditContactPage() {
  const { id } = route.useParams()
  return <Loaded key={id} id={id} />
}

/** The form starts from the contact as it was when it came, whatever happens to it meanwhile: saving tells the two apart. */
function Loaded({ id }: { id: string }) {
  const { data: contact, error } = useQuery(contactQuery(id))
  const router = useRouter()
  const navigate = useNavigate()
  const failed = error !== null && !contact
  useEffect(() => {
    if (!failed) return
    toastError(error)
    void navigate({ to: '/crm/contacts', replace: true })
  }, [failed, error, navigate])
  if (!contact) return <FormSkeleton title="Edit" />
  return (
    <ContactForm
      contact={contact}
      title="Edit"
      breadcrumb={[<BackToContacts key="back" />, <BackToContact key="contact" contact={contact} />]}
      onSaved={() => {
        if (router.history.canGoBack()) router.history.back()
        else void navigate({ to: '/crm/contacts/$id', params: { id }, replace: true })
      }}
    />
  )
}

const BackToContact = ({ contact }: { contact: Contact }) => (
  <Link to="/crm/contacts/$id" params={{ id: contact.id }} title={fullName(contact)}>
    {fullName(contact)}
  </Link>
)
