import { useEffect, useState } from 'react'
import * as z from 'zod/mini'
import { LeadForm } from '#contract/leadForms.ts'
import { readFromTab, removeFromTab, storeInTab } from '#web/lib/tabMemory.ts'
import { FormDraft, isChanged, toDraft } from './draft.ts'

/** An edit: the version of the form with which it began, and the draft. */
const Edit = z.object({ saved: LeadForm, draft: FormDraft })
type Edit = z.infer<typeof Edit>
type EditState = Edit & {
  /** The drafts before the current one, which `restorePrevious` brings back. */
  earlier: readonly FormDraft[]
  /** True if the tab had the draft from before a reload or the end of a session. */
  isRestored: boolean
}

const startEdit = (saved: LeadForm, draft = toDraft(saved)): EditState => ({ saved, draft, earlier: [], isRestored: false })

/** The edit of a form. The browser tab stores unsaved changes, so that they are not lost on a reload. */
export function useFormEdit(current: LeadForm) {
  const name = `lead form ${current.id}`
  const [{ saved, draft, isRestored }, setEdit] = useState<EditState>(() => {
    const stored = readFromTab(name, Edit)
    return stored ? { ...stored, earlier: [], isRestored: true } : startEdit(current)
  })
  const hasChanges = isChanged(draft, saved)
  useEffect(() => {
    if (hasChanges) storeInTab(name, { saved, draft } satisfies Edit)
    else removeFromTab(name)
  }, [name, hasChanges, saved, draft])
  return {
    saved,
    draft,
    hasChanges,
    isRestored,
    change: (changes: Partial<FormDraft>): void =>
      setEdit((edit) => ({ ...edit, draft: { ...edit.draft, ...changes }, earlier: [...edit.earlier, edit.draft] })),
    restorePrevious: (): void =>
      setEdit((edit) => ({ ...edit, draft: edit.earlier.at(-1) ?? edit.draft, earlier: edit.earlier.slice(0, -1) })),
    /** Begins an edit of a version of the form; by default without changes. */
    start: (version: LeadForm, changed?: FormDraft): void => setEdit(startEdit(version, changed)),
  }
}
