import { toast } from '#web/lib/toasts.ts'

/** Copies a text to the clipboard and shows the result in a toast, by default with the text. */
export async function copyText(text: string, message = text): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast({ kind: 'success', title: 'Copied!', message })
  } catch {
    toast({ kind: 'error', title: 'Error', message: 'This browser does not allow copying here. Mark the text and copy it by hand.' })
  }
}
