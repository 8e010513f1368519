import { useState } from 'react'
import * as z from 'zod/mini'
import type { Message } from '#contract/assistant.ts'
import { useUnsavedWork } from '#web/lib/forms.ts'
import { readFromTab, removeFromTab, storeInTab } from '#web/lib/tabMemory.ts'

/**
 * Returns the text of a sent message that the user is editing, undefined while it is not edited, and a function that changes it. The tab
 * stores a changed text, so that the form opens again with it after a reload or a visit to another page.
 */
export function useEditedText({ id, content }: Message): [string | undefined, (text: string | undefined) => void] {
  const name = `edited message ${id}`
  const [edited, setEdited] = useState(() => readFromTab(name, z.string()))
  useUnsavedWork(edited !== undefined && edited !== content)
  const change = (text: string | undefined): void => {
    setEdited(text)
    if (text === undefined || text === content) removeFromTab(name)
    else storeInTab(name, text)
  }
  return [edited, change]
}
