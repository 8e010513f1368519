import { useNavigate } from '@tanstack/react-router'
import { BackToContacts } from './BackToContacts.tsx'
import { ContactForm } from './ContactForm.tsx'

export function NewContactPage() {
  const navigate = useNavigate()
  return (
    <ContactForm title="Add contact" breadcrumb={[<BackToContacts key="back" />]} onSaved={() => void navigate({ to: '/crm/contacts' })} />
  )
}
