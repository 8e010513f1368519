import { signOut } from '#web/lib/session.ts'
import { toast, toastError } from '#web/lib/toasts.ts'

/** Signs out and says in a toast whether it worked. True when the session is over. */
export async function signOutWithToast(): Promise<boolean> {
  try {
    await signOut()
    toast({ kind: 'success', title: 'Signed out' })
    return true
  } catch (error) {
    toastError(error)
    return false
  }
}
