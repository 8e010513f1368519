import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router'

/** Leads from a dialog back to where it was opened; where nothing lies before it, to the list at `path`. */
export function useWayBack(path: string): () => void {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  const navigate = useNavigate()
  return () => {
    if (canGoBack) router.history.back()
    else void navigate({ to: path, replace: true })
  }
}
