import { useState } from 'react'
import type { Reference } from '#contract/assistant.ts'
import { newId } from '#web/lib/ids.ts'
import { describeError } from '#web/lib/toasts.ts'
import { addToDraft, useDraft } from './drafts.ts'

/** A file that is being uploaded, or whose upload failed. */
type AttachedUpload = { key: string; name: string; failure?: string }

export type Attachments = {
  uploads: readonly AttachedUpload[]
  isUploading: boolean
  add: (references: readonly Reference[]) => void
  upload: (files: readonly File[]) => void
  remove: (reference: Reference) => void
  /** Removes a failed upload from the list. */
  dismiss: (key: string) => void
}

/**
 * The records and files of the draft of a conversation. Files from this device are uploaded to Files and then attached, also if another
 * conversation is open by then.
 */
export function useAttachments(conversationId: string | undefined): Attachments {
  const [draft, changeDraft] = useDraft(conversationId)
  const [uploads, setUploads] = useState<readonly AttachedUpload[]>([])
  const add = (references: readonly Reference[]): void => addToDraft(conversationId, { text: '', references: [...references] })
  const removeUpload = (key: string): void => setUploads((current) => current.filter((each) => each.key !== key))
  const fail = (key: string, failure: string): void =>
    setUploads((current) => current.map((each) => (each.key === key ? { ...each, failure } : each)))
  const upload = async (file: File): Promise<void> => {
    const key = newId()
    setUploads((current) => [...current, { key, name: file.name }])
    try {
      const result = await uploadFile(file)
      if (result && 'failure' in result) return fail(key, result.failure)
      removeUpload(key)
      if (result) add([result])
    } catch (error) {
      fail(key, describeError(error))
    }
  }
  return {
    uploads,
    isUploading: uploads.some(({ failure }) => failure === undefined),
    add,
    upload: (files) => files.forEach((file) => void upload(file)),
    remove: ({ id }) => changeDraft({ ...draft, references: draft.references.filter((each) => each.id !== id) }),
    dismiss: removeUpload,
  }
}

/** Loads the code of uploads when it is needed. */
const uploadFile = async (file: File) => (await import('./uploads.ts')).uploadFile(file)
