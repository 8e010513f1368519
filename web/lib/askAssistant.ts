import type { Reference } from '#contract/assistant.ts'
import type { KindName } from '#contract/kinds.ts'
import { createStore } from './store.ts'

/** The record or the list that a question is about. */
export type QuestionContext = {
  record?: { kind: KindName; id: string }
  list?: { kind: KindName; search: string; filter: readonly unknown[] }
}

/** A question for the panel of the assistant. Without a text, the panel opens with its field empty. */
export type Question = QuestionContext & {
  text?: string
  /** Records and files that are attached to the message. */
  references?: readonly Reference[]
  /** The text is sent at once; otherwise the user can change it first. */
  isSentAtOnce?: boolean
}

/** The question that the panel has not taken yet. */
export const pendingQuestion = createStore<Question | undefined>(undefined)

/** Opens the panel of the assistant over the current screen with a new conversation and a question. */
export const askAssistant = (question: Question): void => pendingQuestion.set({ ...question })
