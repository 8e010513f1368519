import type { Step } from '#contract/assistant.ts'
import type { ProposalItem } from '#contract/proposals.ts'

/** What the tools of one answer share. */
export type ToolState = {
  conversationId: string
  /** The message of the assistant that is being written. */
  answerId: string
  /** The kinds of changes that the owner allows without a confirmation in this conversation, such as "update deal". */
  allowedChanges: readonly string[]
  /** Adds a step to the running answer. The answer sets `at` of the step to the current length of its text. */
  addStep: (step: Omit<Step, 'at'>) => void
  /**
   * Whether the model has read text that other people may have written, such as a note or a file. True from the start if earlier messages,
   * attached files or attached records contain such text; tools set it later. While it is true, nothing is changed without a confirmation.
   */
  hasUntrustedText: boolean
  /** The changes that the tools propose. `saveProposal` stores them after the answer. */
  items: ProposalItem[]
}

/** Returns the state of an answer that has called no tools yet. */
export const createToolState = (
  options: Pick<ToolState, 'conversationId' | 'answerId' | 'allowedChanges' | 'addStep' | 'hasUntrustedText'>,
): ToolState => ({
  ...options,
  items: [],
})
