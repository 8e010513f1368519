import { toast } from '#web/lib/toasts.ts'

/** Copies a text to the clipboard and shows the result in a toast. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast({ kind: 'success', title: 'Copied!', message: text })
  } catch {
    toast({ kind: 'error', title: 'Error', message: 'This browser does not allow copying here. Mark the text and copy it by hand.' })
  }
}
