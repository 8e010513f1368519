import * as z from 'zod/mini'
import { Reference } from '#contract/assistant.ts'
import { maxReferences } from '#contract/messageLimits.ts'
import { listenForSessionEnd } from '#web/lib/session.ts'
import { createStore, useStore } from '#web/lib/store.ts'
import { readFromTab, removeFromTab, storeInTab } from '#web/lib/tabMemory.ts'
import { toast } from '#web/lib/toasts.ts'

/** A message that is not sent yet, with the records and files that belong to it. */
const Draft = z.object({ text: z.string(), references: z.array(Reference) })
export type Draft = z.infer<typeof Draft>

const emptyDraft: Draft = { text: '', references: [] }

/** The drafts that were changed since the page was loaded, by the id of the conversation. */
const drafts = createStore<ReadonlyMap<string, Draft>>(new Map())

listenForSessionEnd(() => drafts.set(new Map()))

/** The key of the draft of a new conversation. */
const newConversation = 'new'

const makeName = (key: string): string => `assistant draft ${key}`

/** Returns the draft of a conversation, and a function that changes it. The tab stores it, so that it survives a reload. */
export function useDraft(conversationId: string | undefined): [Draft, (draft: Draft) => void] {
  const key = conversationId ?? newConversation
  const draft = useStore(drafts).get(key) ?? readStored(key)
  return [draft, (changed) => setDraft(conversationId, changed)]
}

/**
 * Adds a text and references to the draft of a conversation, by default of a new one. What the user has typed stays: the added text becomes
 * another paragraph.
 */
export function addToDraft(conversationId: string | undefined, added: Draft): void {
  const key = conversationId ?? newConversation
  const { text, references } = drafts.get().get(key) ?? readStored(key)
  setDraft(conversationId, { text: joinTexts(text, added.text), references: joinReferences(references, added.references) })
}

function joinTexts(text: string, added: string): string {
  if (added.trim() === '' || added.trim() === text.trim()) return text
  return text.trim() === '' ? added : `${text.trimEnd()}\n\n${added}`
}

/** Adds the references that a message does not have yet. A toast says if they are too many for a message. */
export function joinReferences(references: readonly Reference[], added: readonly Reference[]): Reference[] {
  const others = added.filter(({ id }) => references.every((each) => each.id !== id))
  const all = [...references, ...others]
  if (all.length > maxReferences) toast({ kind: 'error', title: `A message takes at most ${maxReferences} records and files` })
  return all.slice(0, maxReferences)
}

function setDraft(conversationId: string | undefined, draft: Draft): void {
  const key = conversationId ?? newConversation
  drafts.set(new Map([...drafts.get(), [key, draft]]))
  if (draft.text === '' && draft.references.length === 0) removeFromTab(makeName(key))
  else storeInTab(makeName(key), draft)
}

export const clearDraft = (conversationId: string | undefined): void => setDraft(conversationId, emptyDraft)

const readStored = (key: string): Draft => readFromTab(makeName(key), Draft) ?? emptyDraft
