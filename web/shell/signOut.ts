import { signOut } from '#web/lib/session.ts'
import { toast, toastError } from '#web/lib/toasts.ts'

/** Signs out and shows the result in a toast. Returns true on success. */
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
