import { describeError, toast } from '#web/lib/toasts.ts'
import { useIsMounted } from '#web/ui/useIsMounted.ts'

/**
 * Returns a function that shows the error of a failed request in a toast if the user has closed the dialog meanwhile. An open dialog shows
 * the error itself.
 */
export function useToastAfterClose(title: string, describe: (error: unknown) => string = describeError): (error: Error) => void {
  const isOpen = useIsMounted()
  return (error) => {
    if (!isOpen.current) toast({ kind: 'error', title, message: describe(error) })
  }
}
