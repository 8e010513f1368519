import { useQuery } from '@tanstack/react-query'
import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { File } from '#contract/files.ts'
import { findKindDisplay } from '#web/lib/features.ts'
import { folderPathQuery } from '../kind/queries.ts'
import { isUnfocused } from '#web/ui/unfocused.ts'

/** The folder or the contact that a file belongs to, with the address of its page. */
export type Place = { title: string; address: string }

/** Returns the address of the page of the folder or the contact of a file. */
export function getPlaceAddress({ folder_id, contact_id }: Pick<File, 'folder_id' | 'contact_id'>): string {
  if (contact_id !== null) return `/crm/contacts/${contact_id}`
  return folder_id === null ? '/files' : `/files/folder/${folder_id}`
}

/** Returns the folder or the contact of a file. While the title is not loaded it is "Folder" or "Contact", so that a link always has a name. */
export function usePlace(file: Pick<File, 'folder_id' | 'contact_id'> | undefined): Place {
  const { folder_id = null, contact_id = null } = file ?? {}
  const path = useQuery({ ...folderPathQuery(folder_id ?? ''), enabled: folder_id !== null })
  const contact = useQuery({
    queryKey: ['crm_contacts', 'one', contact_id, 'choice'],
    meta: { tables: ['crm_contacts'] },
    queryFn: async ({ signal }) => (await findKindDisplay('contact')?.linkFieldSource?.())?.get(contact_id ?? '', signal) ?? null,
    enabled: contact_id !== null,
  })
  const address = getPlaceAddress({ folder_id, contact_id })
  if (contact_id !== null) return { title: contact.data?.title || 'Contact', address }
  return { title: folder_id === null ? 'Files' : (path.data?.rows.at(-1)?.name ?? 'Folder'), address }
}

/** Returns a function that goes back to where the file was opened or, if it was opened by its address, to its folder or contact. */
export function useClose({ address }: Place): () => void {
  const { history } = useRouter()
  const canGoBack = useCanGoBack()
  const navigate = useNavigate()
  return () => {
    if (canGoBack) history.back()
    else void navigate({ to: address, replace: true })
  }
}

/** The maximum time to wait until the list shows the file. */
const maxWaitMs = 5000

/** After the preview is closed, focuses the last previewed file in the list, as soon as the list shows the file. */
export function useFocusFileInList(id: string): void {
  const lastId = useRef(id)
  useEffect(() => {
    lastId.current = id
  }, [id])
  useEffect(() => () => focusLinkWhenRendered(`main a[href^="/files/file/${CSS.escape(lastId.current)}"]`), [])
}

function focusLinkWhenRendered(selector: string): void {
  const focusLink = (): boolean => {
    const link = document.querySelector<HTMLElement>(selector)
    if (link && isUnfocused(document.activeElement)) (link.closest<HTMLElement>('tr[tabindex]') ?? link).focus()
    return link !== null
  }
  const observer = new MutationObserver(() => {
    if (focusLink()) observer.disconnect()
  })
  observer.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), maxWaitMs)
}
