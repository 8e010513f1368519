import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import type { KindName } from '#contract/kinds.ts'
import { noteRoutes } from '#contract/notes.ts'
import { call } from '#web/lib/client.ts'
import { findKindDisplay } from '#web/lib/features.ts'
import type { LinkTarget } from './recordLinks.ts'

/** A link of an answer to a record or a list of the workspace. Without an address, only its text is shown. */
export function RecordLink({ target, children }: { target: LinkTarget; children: ReactNode }) {
  if (target.type === 'list') return <PageLink address={target.address}>{children}</PageLink>
  return target.kind === 'note' ? (
    <NoteLink id={target.id}>{children}</NoteLink>
  ) : (
    <PageLink address={findKindDisplay(target.kind)?.addressOf({ id: target.id })}>{children}</PageLink>
  )
}

const parentKind: KindName = 'contact'

/** A note has no page of its own: the link opens the page of its contact. */
function NoteLink({ id, children }: { id: string; children: ReactNode }) {
  const { data } = useQuery({
    queryKey: ['notes', 'contact of', id],
    queryFn: ({ signal }) => call(noteRoutes.get, { params: { id } }, { signal }),
    staleTime: Infinity,
    retry: false,
  })
  const parent = data && { kind: parentKind, id: data.contact_id }
  return <PageLink address={parent && findKindDisplay('note')?.addressOf({ id, parent })}>{children}</PageLink>
}

/** A link to a page of the application whose address is computed. Without an address, only the text is shown. */
export function PageLink({ address, children }: { address: string | undefined; children: ReactNode }) {
  const router = useRouter()
  if (address === undefined) return children
  const open = (event: MouseEvent): void => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void router.navigate({ href: address })
  }
  return (
    <a className="link" href={address} onClick={open}>
      {children}
    </a>
  )
}
