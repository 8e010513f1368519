import { useQuery } from '@tanstack/react-query'
import { linkName } from '#web/records/linkedKinds.ts'
import { fullName } from './links.ts'
import { contactQuery } from './queries.ts'

/** How a contact is called of whom only the id is known. */
export function NameOf({ id }: { id: string }) {
  const { data } = useQuery(contactQuery(id))
  return data ? fullName(data) : 'Another contact'
}

/** The same of a company. */
export function NameOfCompany({ id }: { id: string }) {
  const { data } = useQuery(linkName('company', id))
  return data?.name ?? 'Another company'
}
