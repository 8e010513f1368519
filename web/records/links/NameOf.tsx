import { useQuery } from '@tanstack/react-query'
import type { Linked } from './linked.ts'
import { linkName } from './linkedKinds.ts'

/** Shows the name of a record of a kind, of which only the id is known. */
export const nameIn = (noun: Linked) => (id: string) => <NameOf noun={noun} id={id} />

function NameOf({ noun, id }: { noun: Linked; id: string }) {
  const { data } = useQuery(linkName(noun, id))
  return data?.name ?? `Another ${noun}`
}
