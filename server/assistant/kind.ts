// The record kind of conversations. The types in server/platform/records/kind.ts explain the options.
import { Conversation } from '#contract/assistant.ts'
import { recordKinds } from '#contract/kinds.ts'
import { defineKind } from '#server/platform/records/kind.ts'

export const conversations = defineKind({
  ...recordKinds.conversation,
  FullRecord: Conversation,
  Row: Conversation,
  exportColumnNames: [],
  emptyRecord: { title: '', allowed_changes: [] },
  titleOf: ({ title }) => String(title),
  searchResult: { title: 'c.title', detail: `''` },
  sorts: {},
  filters: {},
  linksByConstraint: {},
})
