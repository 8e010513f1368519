import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router'

/** Leads from a dialog back to where it was opened; where nothing lies before it, to `address`: its list, or what it belongs to. */
export function useWayBack(address: string): () => void {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  const navigate = useNavigate()
  return () => {
    if (canGoBack) router.history.back()
    else void navigate({ href: address, replace: true })
  }
}
